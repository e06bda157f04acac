package snapshot

import (
	"cmp"
	"context"
	"errors"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// roleName is the name of the roles.
const roleName = "gatehouse-snapshot"

// grant has rules for one namespace, or for the cluster if it is empty.
type grant struct {
	namespace string
	rules     []rbacv1.PolicyRule
}

// grantsOf returns rules that allow all needs, that of the cluster first.
func grantsOf(needs []need) []grant {
	needs = slices.Clone(needs)
	slices.SortFunc(needs, func(a, b need) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.path, b.path),
			cmp.Compare(a.Group, b.Group), cmp.Compare(a.verb, b.verb), cmp.Compare(a.Resource, b.Resource),
			cmp.Compare(a.name, b.name))
	})
	var all []grant
	for _, n := range slices.Compact(needs) {
		if len(all) == 0 || all[len(all)-1].namespace != n.namespace {
			all = append(all, grant{namespace: n.namespace})
		}
		g := &all[len(all)-1]
		g.add(n)
	}
	return all
}

// add adds a need to the last rule, or a rule for it.
func (g *grant) add(n need) {
	rule := rbacv1.PolicyRule{Verbs: []string{n.verb}}
	if n.path != "" {
		rule.NonResourceURLs = []string{n.path}
	} else {
		rule.APIGroups, rule.Resources = []string{n.Group}, []string{n.Resource}
	}
	if n.name != "" {
		rule.ResourceNames = []string{n.name}
	}
	if len(g.rules) > 0 {
		last := &g.rules[len(g.rules)-1]
		same := slices.Equal(last.APIGroups, rule.APIGroups) && slices.Equal(last.Verbs, rule.Verbs)
		switch {
		case same && n.path != "":
			last.NonResourceURLs = append(last.NonResourceURLs, n.path)
			return
		case same && n.name == "" && last.ResourceNames == nil:
			last.Resources = append(last.Resources, n.Resource)
			return
		case same && n.name != "" && last.ResourceNames != nil && slices.Equal(last.Resources, rule.Resources):
			last.ResourceNames = append(last.ResourceNames, n.name)
			return
		}
	}
	g.rules = append(g.rules, rule)
}

// Roles returns the roles that suffice for a snapshot: a ClusterRole, and a Role for each
// namespace if there is a Namespace or there are Secrets. Config.Client may be nil; otherwise
// the policies of the cluster are read, and the roles allow to read their params, too.
func Roles(ctx context.Context, config Config) ([]runtime.Object, error) {
	needs := []need{
		{verb: "get", path: "/api/*"}, {verb: "get", path: "/apis/*"}, {verb: "get", path: "/version"},
	}
	for _, k := range kinds {
		needs = append(needs, need{GroupResource: k.GroupResource, verb: "list", namespace: k.scope(config.Namespace)})
	}
	needs = append(needs, need{GroupResource: pods.GroupResource, verb: "list"})
	for _, s := range config.Secrets {
		needs = append(needs, need{GroupResource: secrets.GroupResource(), verb: "get", namespace: s.Namespace, name: s.Name})
	}
	if config.Client != nil {
		params, err := paramNeeds(ctx, &config)
		if err != nil {
			return nil, err
		}
		needs = append(needs, params...)
	}
	var all []runtime.Object
	for _, g := range grantsOf(needs) {
		all = append(all, g.role())
	}
	return all, nil
}

func (g *grant) role() runtime.Object {
	meta := metav1.ObjectMeta{Name: roleName, Namespace: g.namespace}
	if g.namespace == "" {
		return &rbacv1.ClusterRole{
			TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole"},
			ObjectMeta: meta, Rules: g.rules,
		}
	}
	return &rbacv1.Role{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "Role"},
		ObjectMeta: meta, Rules: g.rules,
	}
}

// paramNeeds returns the needs of the params that the policies of the cluster name.
func paramNeeds(ctx context.Context, config *Config) ([]need, error) {
	r, err := newReader(config)
	if err != nil {
		return nil, err
	}
	defer r.close()
	for i := range kinds {
		k := &kinds[i]
		if k.Group != kinds[0].Group {
			r.read[k.WithVersion(k.versions[0])] = k.scope(config.Namespace) // the roles have it already
			continue
		}
		if err := r.readKind(ctx, k); err != nil {
			return nil, err
		}
	}
	if len(r.denied) > 0 {
		return nil, errors.Join(errors.New("the roles depend on the policies of the cluster: run the command as a user with permission to read these"),
			&ForbiddenError{r.denied})
	}
	var needs []need
	targets, err := r.paramTargets(ctx)
	for i := range targets {
		needs = append(needs, targets[i].need())
	}
	return needs, err
}
