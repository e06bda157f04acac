package snapshot

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/message"
)

// need is a request that the user has to be allowed to send.
type need struct {
	schema.GroupResource
	verb string
	// namespace and name are empty for all.
	namespace, name string
	// path is that of discovery, and then there is nothing else but the verb.
	path string
}

// String names what is read.
func (n need) String() string {
	switch {
	case n.path != "":
		return n.path
	case n.name != "":
		return n.GroupResource.String() + " " + identity{n.namespace, n.name}.String()
	case n.namespace != "":
		return n.GroupResource.String() + " in " + n.namespace
	}
	return n.GroupResource.String()
}

func (t *target) need() need {
	return need{GroupResource: t.GroupResource(), verb: "list", namespace: t.namespace, name: t.name}
}

// denial is a need that the server refused, and what it said.
type denial struct {
	need need
	err  error
}

func (r *reader) deny(n need, err error) {
	if !slices.ContainsFunc(r.denied, func(d denial) bool { return d.need == n }) {
		r.denied = append(r.denied, denial{n, plain(err)})
	}
}

// isDenied reports whether the user may not read a path of discovery.
func (r *reader) isDenied(path string) bool {
	return slices.ContainsFunc(r.denied, func(d denial) bool { return d.need.path == path })
}

// ForbiddenError says what the user may not read.
type ForbiddenError struct{ denied []denial }

// Error has a line for each thing, and then the rules that allow all of it.
func (e *ForbiddenError) Error() string {
	var lines []string
	var needs []need
	for _, d := range e.denied {
		lines = append(lines, fmt.Sprintf("%s: %v", message.Escaped(d.need.String()), d.err))
		needs = append(needs, d.need)
	}
	for _, g := range grantsOf(needs) {
		where := "a ClusterRole"
		if g.namespace != "" {
			where = "a Role in namespace " + g.namespace
		}
		lines = append(lines, "to allow this, bind the user to "+where+" with these rules:")
		for _, rule := range g.rules {
			lines = append(lines, "  - "+flow(rule))
		}
	}
	return strings.Join(lines, "\n")
}

// flow returns a rule as YAML in one line.
func flow(rule rbacv1.PolicyRule) string {
	var fields []string
	for _, f := range []struct {
		name   string
		values []string
	}{
		{"apiGroups", rule.APIGroups}, {"resources", rule.Resources}, {"resourceNames", rule.ResourceNames},
		{"nonResourceURLs", rule.NonResourceURLs}, {"verbs", rule.Verbs},
	} {
		if len(f.values) > 0 {
			fields = append(fields, fmt.Sprintf("%s: [%s]", f.name, strings.Join(quoted(f.values), ", ")))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func quoted(values []string) []string {
	var all []string
	for _, v := range values {
		if v == "" || !isPlain(v) || strings.ContainsAny(v, ",[]{}") {
			v = fmt.Sprintf("%q", v)
		}
		all = append(all, v)
	}
	return all
}
