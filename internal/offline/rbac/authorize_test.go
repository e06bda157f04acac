package rbac_test

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/internal/offline/rbac"
	"example.com/gatehouse/internal/testutil/testtable"
)

func subject(kind, name string) rbacv1.Subject { return rbacv1.Subject{Kind: kind, Name: name} }

// rule grants a verb on a resource of the group "apps".
func rule(verb, resource string, names ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{
		Verbs: []string{verb}, APIGroups: []string{"apps"}, Resources: []string{resource}, ResourceNames: names,
	}
}

// policy is one of everything, asked by all rows.
func policy() []runtime.Object {
	elsewhere := subject("ServiceAccount", "robot")
	elsewhere.Namespace = "ci"
	return []runtime.Object{
		clusterRole("scaler", rule("update", "deployments/scale")),
		clusterRole("any-scaler", rule("*", "*/scale")),
		clusterRole("one", rule("delete", "deployments", "web")),
		clusterRole("health", rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: []string{"/healthz*"}}),
		role("shop", "breaker", rule("breakglass", "deployments")),
		clusterRoleBinding("scalers", "ClusterRole", "scaler", subject("User", "ann"), subject("Group", "ops")),
		clusterRoleBinding("any-scalers", "ClusterRole", "any-scaler", elsewhere),
		clusterRoleBinding("nowhere", "ClusterRole", "any-scaler", subject("ServiceAccount", "lost")),
		clusterRoleBinding("healths", "ClusterRole", "health", subject("Group", "everyone")),
		clusterRoleBinding("dangling", "ClusterRole", "gone", subject("User", "dan")),
		roleBinding("shop", "breakers", "Role", "breaker", subject("User", "ann"), subject("ServiceAccount", "robot")),
		roleBinding("shop", "ones", "ClusterRole", "one", subject("User", "bob")),
		roleBinding("shop", "dangling", "Role", "lost", subject("User", "dan")),
	}
}

func as(name string, groups ...string) user.Info {
	return &user.DefaultInfo{Name: name, Groups: groups}
}

// ask returns a question about a resource of the group "apps".
func ask(u user.Info, verb, namespace, resource, subresource, name string) authorizer.Attributes {
	return authorizer.AttributesRecord{
		User: u, Verb: verb, APIGroup: "apps", Namespace: namespace,
		Resource: resource, Subresource: subresource, Name: name, ResourceRequest: true,
	}
}

func askPath(u user.Info, verb, path string) authorizer.Attributes {
	return authorizer.AttributesRecord{User: u, Verb: verb, Path: path}
}

func TestAuthorize(t *testing.T) {
	t.Parallel()
	const robot = "system:serviceaccount:"
	type test struct {
		row
		question authorizer.Attributes
		allowed  bool
		reason   string
	}
	rows := []test{
		{
			row:      row{"user cluster-wide", "a ClusterRoleBinding counts in every namespace"},
			question: ask(as("ann"), "update", "any", "deployments", "scale", "web"),
			allowed:  true,
			reason:   `RBAC: allowed by ClusterRoleBinding "scalers" of ClusterRole "scaler" to User "ann"`,
		},
		{
			row:      row{"group cluster-wide", "the reason names the subject that applied, not the first one"},
			question: ask(as("eve", "ops"), "update", "", "deployments", "scale", ""),
			allowed:  true,
			reason:   `RBAC: allowed by ClusterRoleBinding "scalers" of ClusterRole "scaler" to Group "ops"`,
		},
		{
			row:      row{"subresource is not its parent", "deployments/scale does not include deployments"},
			question: ask(as("ann"), "update", "any", "deployments", "", "web"),
		},
		{
			row:      row{"another API group", "a resource of the same name elsewhere is another resource"},
			question: authorizer.AttributesRecord{User: as("ann"), Verb: "update", APIGroup: "example.com", Resource: "deployments", Subresource: "scale", ResourceRequest: true},
		},
		{
			row:      row{"star with subresource", "*/scale means the scale of every resource"},
			question: ask(as(robot+"ci:robot"), "patch", "any", "statefulsets", "scale", "db"),
			allowed:  true,
			reason:   `RBAC: allowed by ClusterRoleBinding "any-scalers" of ClusterRole "any-scaler" to ServiceAccount "robot/ci"`,
		},
		{
			row:      row{"service account without namespace cluster-wide", "there is no binding's namespace to complete it from"},
			question: ask(as(robot+":lost"), "patch", "any", "statefulsets", "scale", "db"),
		},
		{
			row:      row{"service account beside its binding", "a subject without a namespace has that of the RoleBinding"},
			question: ask(as(robot+"shop:robot"), "breakglass", "shop", "deployments", "", ""),
			allowed:  true,
			reason:   `RBAC: allowed by RoleBinding "breakers/shop" of Role "breaker" to ServiceAccount "robot/shop"`,
		},
		{
			row:      row{"role in its namespace", "the breakglass check is what conditions ask most"},
			question: ask(as("ann"), "breakglass", "shop", "deployments", "", "web"),
			allowed:  true,
			reason:   `RBAC: allowed by RoleBinding "breakers/shop" of Role "breaker" to User "ann"`,
		},
		{
			row:      row{"role in another namespace", "a RoleBinding ends at its namespace"},
			question: ask(as("ann"), "breakglass", "tools", "deployments", "", "web"),
		},
		{
			row:      row{"role cluster-wide", "a request without a namespace concerns all of them"},
			question: ask(as("ann"), "breakglass", "", "deployments", "", "web"),
		},
		{
			row:      row{"resource name", "the rule is about one object, and a ClusterRole can be bound in a namespace"},
			question: ask(as("bob"), "delete", "shop", "deployments", "", "web"),
			allowed:  true,
			reason:   `RBAC: allowed by RoleBinding "ones/shop" of ClusterRole "one" to User "bob"`,
		},
		{
			row:      row{"other resource name", "the rule is about another object"},
			question: ask(as("bob"), "delete", "shop", "deployments", "", "db"),
		},
		{
			row:      row{"no resource name", "a rule about one object does not grant a request about none"},
			question: ask(as("bob"), "delete", "shop", "deployments", "", ""),
		},
		{
			row:      row{"path", "a trailing star covers what begins with the rest"},
			question: askPath(as("eve", "everyone"), "get", "/healthz/ping"),
			allowed:  true,
			reason:   `RBAC: allowed by ClusterRoleBinding "healths" of ClusterRole "health" to Group "everyone"`,
		},
		{
			row:      row{"other path", "rules about resources and other paths do not grant it"},
			question: askPath(as("ann", "everyone", "ops"), "get", "/metrics"),
		},
		{
			row:      row{"masters", "every API server lets them through before it asks RBAC"},
			question: ask(as("root", "system:masters"), "breakglass", "tools", "deployments", "", ""),
			allowed:  true,
		},
		{
			row:      row{"dangling bindings", "a role that is missing grants nothing, but one wants to know"},
			question: ask(as("dan"), "get", "shop", "deployments", "", ""),
			reason:   `RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]`,
		},
	}
	var p rbac.Policy
	for _, obj := range policy() {
		if err := p.Add(obj); err != nil {
			t.Fatalf("Add: %v", err)
		}
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		decision, reason, err := p.Authorize(t.Context(), tc.question)
		if err != nil {
			t.Fatalf("Authorize: %v", err)
		}
		want := authorizer.DecisionNoOpinion
		if tc.allowed {
			want = authorizer.DecisionAllow
		}
		if decision != want || reason != tc.reason {
			t.Errorf("got %v, %q, want %v, %q: %s", decision, reason, want, tc.reason, tc.Why())
		}
	})
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	var p rbac.Policy
	decision, reason, err := p.Authorize(t.Context(), ask(as("ann"), "get", "shop", "deployments", "", ""))
	if decision != authorizer.DecisionNoOpinion || reason != "" || err != nil {
		t.Errorf("the empty policy answers %v, %q, %v, want no opinion", decision, reason, err)
	}
}
