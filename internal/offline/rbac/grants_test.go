package rbac_test

import (
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/internal/offline/rbac"
)

// TestGrants: the bindings that count in a namespace, whose role exists and allows the
// request for all names.
func TestGrants(t *testing.T) {
	t.Parallel()
	jane := rbacv1.Subject{Kind: rbacv1.UserKind, Name: "jane"}
	pods := rbacv1.PolicyRule{Verbs: []string{"create"}, APIGroups: []string{""}, Resources: []string{"pods"}}
	one := pods
	one.ResourceNames = []string{"web"}
	p := &rbac.Policy{}
	for _, o := range []runtime.Object{
		clusterRole("pods", pods), clusterRole("one-pod", one), role("shop", "pods", pods),
		clusterRoleBinding("everywhere", "ClusterRole", "pods", jane),
		clusterRoleBinding("one-pod", "ClusterRole", "one-pod", jane),
		clusterRoleBinding("dangling", "ClusterRole", "none", jane),
		roleBinding("shop", "local", "Role", "pods", jane),
		roleBinding("blog", "elsewhere", "ClusterRole", "pods", jane),
	} {
		if err := p.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, g := range p.Grants(authorizer.AttributesRecord{
		Verb: "create", Resource: "pods", Namespace: "shop", ResourceRequest: true,
	}) {
		got = append(got, g.Kind+" "+g.Namespace+"/"+g.Name+" "+g.Role.Name+" "+g.Subjects[0].Name)
	}
	want := []string{"ClusterRoleBinding /everywhere pods jane", "RoleBinding shop/local pods jane"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
