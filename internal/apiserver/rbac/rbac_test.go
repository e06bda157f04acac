package rbac

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/storage"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// resolver returns a resolver that knows the initial objects and others.
func resolver(objects ...runtime.Object) *Resolver {
	r := NewResolver()
	fill(r.roles, slices.Concat(Roles(), objects))
	fill(r.bindings, slices.Concat(RoleBindings(), objects))
	fill(r.clusterRoles, slices.Concat(ClusterRoles(), objects))
	fill(r.clusterBindings, slices.Concat(ClusterRoleBindings(), objects))
	return r
}

// fill loads a cache with the objects of its type.
func fill[T any](c *cache[T], objects []runtime.Object) {
	var fitting []runtime.Object
	for _, o := range objects {
		func() {
			defer func() { _ = recover() }() // The object has another type.
			c.make([]runtime.Object{o})
			fitting = append(fitting, o)
		}()
	}
	c.value, c.loaded = c.make(fitting), true
}

func clusterRole(name string, label string, rules ...rbacv1.PolicyRule) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{label: "true"}}, Rules: rules}
}

// bound returns a binding of a ClusterRole in a namespace, or in all if it is "".
func bound(role, namespace string, subject rbacv1.Subject) runtime.Object {
	meta, ref := metav1.ObjectMeta{Namespace: namespace, Name: "binding"}, roleRef("ClusterRole", role)
	if namespace == "" {
		return &rbacv1.ClusterRoleBinding{ObjectMeta: meta, RoleRef: ref, Subjects: []rbacv1.Subject{subject}}
	}
	return &rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: ref, Subjects: []rbacv1.Subject{subject}}
}

// ask returns the attributes of "VERB RESOURCE[/SUB][.GROUP] [NAMESPACE[/NAME]]"
// or "VERB /PATH".
func ask(u user.Info, question string) authorizer.AttributesRecord {
	words := append(strings.Fields(question), "", "")
	if strings.HasPrefix(words[1], "/") {
		return authorizer.AttributesRecord{User: u, Verb: words[0], Path: words[1]}
	}
	a := authorizer.AttributesRecord{User: u, Verb: words[0], ResourceRequest: true}
	resource, group, _ := strings.Cut(words[1], ".")
	a.Resource, a.Subresource, _ = strings.Cut(resource, "/")
	a.APIGroup = group
	a.Namespace, a.Name, _ = strings.Cut(words[2], "/")
	return a
}

// unavailable is a storage that cannot be listed.
type unavailable struct{ storage.Interface }

func (unavailable) GetList(context.Context, string, storage.ListOptions, runtime.Object) error {
	return errors.New("unavailable")
}

// TestUnavailable: bindings that may be deleted grant nothing.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	r := resolver(bound("cluster-admin", "", rbacv1.Subject{Kind: "User", Name: "ann"}))
	question := ask(ann, "get pods a/b")
	if decision, _, _ := r.Authorize(t.Context(), question); decision != authorizer.DecisionAllow {
		t.Fatalf("decision %v before the write", decision)
	}
	r.clusterBindings.store = &genericregistry.Store{
		NewListFunc:              func() runtime.Object { return &rbacv1.ClusterRoleBindingList{} },
		PredicateFunc:            func(labels.Selector, fields.Selector) storage.SelectionPredicate { return storage.SelectionPredicate{} },
		DefaultQualifiedResource: rbacv1.Resource("clusterrolebindings"),
		KeyRootFunc:              func(context.Context) string { return "/" },
		Storage:                  genericregistry.DryRunnableStorage{Storage: unavailable{}},
	}
	r.clusterBindings.wrote(&rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "1"}})
	if decision, reason, err := r.Authorize(t.Context(), question); decision == authorizer.DecisionAllow || !strings.Contains(reason, "unavailable") {
		t.Errorf("decision %v, reason %q, error %v", decision, reason, err)
	}
}

var ann = &user.DefaultInfo{Name: "ann", Groups: []string{"dev", user.AllAuthenticated}}

var robot = &user.DefaultInfo{Name: "system:serviceaccount:ns:robot", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ns"}}

func TestAuthorize(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		user     user.Info
		objects  []runtime.Object
		question string
		// reason is that of a decision to allow, or not.
		allowed bool
		reason  string
	}
	list := func(objects ...runtime.Object) []runtime.Object { return objects }
	custom := func(r rbacv1.PolicyRule) []runtime.Object {
		return list(clusterRole("custom", "", r), bound("custom", "", named("ann")))
	}
	const byCustom = `RBAC: allowed by ClusterRoleBinding "binding" of ClusterRole "custom" to User "ann"`
	in := func(role string) []runtime.Object { return list(bound(role, "ns", named("ann"))) }
	byRole := func(role string) string {
		return `RBAC: allowed by RoleBinding "binding/ns" of ClusterRole "` + role + `" to User "ann"`
	}
	cycle := func(name, selected string) *rbacv1.ClusterRole {
		r := clusterRole(name, name)
		r.AggregationRule = &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: map[string]string{selected: "true"}}}}
		return r
	}
	pods := rbacv1.PolicyRule{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"pods"}}
	rows := []test{
		{row{"nothing", "there is no rule"}, ann, nil, "list pods ns", false, ""},
		{row{"discovery", "all authenticated users have it"}, ann, nil, "get /apis/apps/v1", true, `RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"`},
		{row{"other path", "it is no part of discovery"}, ann, nil, "get /metrics", false, ""},
		{row{"view", "it aggregates"}, ann, in("view"), "list pods ns", true, byRole("view")},
		{row{"view in another namespace", "the binding is in one"}, ann, in("view"), "list pods other", false, ""},
		{row{"view of all namespaces", "the binding is in one"}, ann, in("view"), "list pods", false, ""},
		{row{"view no secrets", "they would let escalate"}, ann, in("view"), "get secrets ns/a", false, ""},
		{row{"edit secrets", "who runs pods has them anyway"}, ann, in("edit"), "get secrets ns/a", true, byRole("edit")},
		{row{"edit views", "it aggregates an aggregated role"}, ann, in("edit"), "watch deployments/status.apps ns/a", true, byRole("edit")},
		{row{"edit no roles", "that is for admins"}, ann, in("edit"), "create roles.rbac.authorization.k8s.io ns", false, ""},
		{row{"admin", "it aggregates twice over"}, ann, in("admin"), "create rolebindings.rbac.authorization.k8s.io ns", true, byRole("admin")},
		{row{"aggregated custom resource", "its author labels a role"}, ann, append(in("view"), clusterRole("boats", "rbac.authorization.k8s.io/aggregate-to-view", rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"harbor"}, Resources: []string{"boats"}})), "get boats.harbor ns/a", true, byRole("view")},
		{row{"cycle", "roles aggregate each other"}, ann, list(cycle("custom", "b"), cycle("b", "custom"), clusterRole("c", "b", pods), bound("custom", "", named("ann"))), "list pods", true, byCustom},
		{row{"rules beside an aggregation", "a controller replaces them"}, ann, list(func() *rbacv1.ClusterRole { r := cycle("custom", "b"); r.Rules = []rbacv1.PolicyRule{pods}; return r }(), bound("custom", "", named("ann"))), "list pods", false, ""},
		{row{"group", "ann is in it"}, ann, list(bound("view", "ns", group("dev"))), "get pods ns/a", true, `RBAC: allowed by RoleBinding "binding/ns" of ClusterRole "view" to Group "dev"`},
		{row{"service account", "its namespace is that of the binding"}, robot, list(bound("view", "ns", rbacv1.Subject{Kind: "ServiceAccount", Name: "robot"})), "get pods ns/a", true, `RBAC: allowed by RoleBinding "binding/ns" of ClusterRole "view" to ServiceAccount "robot/ns"`},
		{row{"service account of another namespace", "the subject says so"}, robot, list(bound("view", "other", rbacv1.Subject{Kind: "ServiceAccount", Name: "robot", Namespace: "ns"})), "get pods other/a", true, `RBAC: allowed by RoleBinding "binding/other" of ClusterRole "view" to ServiceAccount "robot/ns"`},
		{row{"other service account", "of another namespace"}, robot, list(bound("view", "other", rbacv1.Subject{Kind: "ServiceAccount", Name: "robot"})), "get pods other/a", false, ""},
		{row{"missing role", "the reason names it"}, ann, in("missing"), "list pods ns", false, `RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found`},
		{row{"name", "only that one"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}, ResourceNames: []string{"a"}}), "get pods ns/a", true, byCustom},
		{row{"other name", "only that one"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}, ResourceNames: []string{"a"}}), "get pods ns/b", false, ""},
		{row{"resource without subresource", "they are two"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}}), "get pods/log ns/a", false, ""},
		{row{"subresources of all", "*/scale"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"*"}, Resources: []string{"*/scale"}}), "get deployments/scale.apps ns/a", true, byCustom},
		{row{"other subresource", "*/scale"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"*"}, Resources: []string{"*/scale"}}), "get deployments/status.apps ns/a", false, ""},
		{row{"resource of */scale", "it is a subresource's"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"*"}, Resources: []string{"*/"}}), "get deployments.apps ns/a", false, ""},
		{row{"other group", "the same name in another group"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"apps"}, Resources: []string{"pods"}}), "get pods ns/a", false, ""},
		{row{"path", "up to the asterisk"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: []string{"/logs/*"}}), "get /logs/a/b", true, byCustom},
		{row{"path without the end", "the slash is part of it"}, ann, custom(rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: []string{"/logs/*"}}), "get /logs", false, ""},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		decision, reason, err := resolver(r.objects...).Authorize(t.Context(), ask(r.user, r.question))
		if err != nil {
			t.Fatal(err)
		}
		if allowed := decision == authorizer.DecisionAllow; allowed != r.allowed || reason != r.reason {
			t.Errorf("got %v, %q, want %v, %q", allowed, reason, r.allowed, r.reason)
		}
	})
}

// TestGuard: a user grants only what the user has.
func TestGuard(t *testing.T) {
	t.Parallel()
	resolved := resolver(bound("view", "ns", named("ann")),
		clusterRole("binder", "", rbacv1.PolicyRule{Verbs: []string{"bind"}, APIGroups: []string{rbacv1.GroupName}, Resources: []string{"clusterroles"}, ResourceNames: []string{"admin"}}), bound("binder", "ns", group("binders")),
		clusterRole("escalator", "", rbacv1.PolicyRule{Verbs: []string{"escalate"}, APIGroups: []string{rbacv1.GroupName}, Resources: []string{"roles"}}), bound("escalator", "ns", group("escalators")))
	guard := Guard{Resolver: resolved, Authorizer: authorizer.AuthorizerFunc(resolved.Authorize)}
	rule := func(verbs string, resource string) []rbacv1.PolicyRule {
		return []rbacv1.PolicyRule{{Verbs: strings.Fields(verbs), APIGroups: []string{""}, Resources: []string{resource}}}
	}
	type test struct {
		row
		groups string
		// rules are those of a role; role is bound otherwise.
		rules []rbacv1.PolicyRule
		role  string
		want  string
	}
	const granting = `user "ann" (groups=["system:authenticated" "dev"]) is attempting to grant RBAC permissions not currently held:` + "\n"
	rows := []test{
		{row{"the same", "ann has it"}, "dev", rule("get list", "pods"), "", ""},
		{row{"more", "ann may not delete"}, "dev", rule("get delete patch", "pods"), "", granting + `{APIGroups:[""], Resources:["pods"], Verbs:["delete" "patch"]}`},
		{row{"more, but escalates", "the verb allows it"}, "escalators", rule("delete", "pods"), "", ""},
		{row{"everything, as an administrator", "system:masters may do everything"}, user.SystemPrivilegedGroup, rule("*", "*"), "", ""},
		{row{"bound role", "ann has its rules"}, "dev", nil, "system:aggregate-to-view", ""},
		{row{"bound role with more", "ann has no secrets"}, "dev", nil, "system:auth-delegator", granting + `{APIGroups:["authentication.k8s.io"], Resources:["tokenreviews"], Verbs:["create"]}` + "\n" + `{APIGroups:["authorization.k8s.io"], Resources:["subjectaccessreviews"], Verbs:["create"]}`},
		{row{"bound role, but binds", "the verb allows it"}, "binders", nil, "admin", ""},
		{row{"missing role", "it cannot be compared"}, "dev", nil, "missing", `clusterrole.rbac.authorization.k8s.io "missing" not found`},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		u := &user.DefaultInfo{Name: "ann", Groups: []string{user.AllAuthenticated, r.groups}}
		ctx := request.WithNamespace(request.WithUser(t.Context(), u), "ns")
		ctx = request.WithRequestInfo(ctx, &request.RequestInfo{APIGroup: rbacv1.GroupName, Resource: "roles", Namespace: "ns", Name: "new"})
		err := guard.CheckRole(ctx, r.rules)
		if r.role != "" {
			_, err = guard.CheckBinding(ctx, roleRef("ClusterRole", r.role), "ns")
		}
		if testtable.Text(err) != r.want {
			t.Errorf("got %v, want %q", err, r.want)
		}
	})
}

// TestWaiting: a request does not wait for the list of another one after its own end.
func TestWaiting(t *testing.T) {
	t.Parallel()
	r := resolver()
	if err := r.roles.lock.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.roles.get(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
