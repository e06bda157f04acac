package rbac_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/rbac"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func named(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

func role(namespace, name string, rules ...rbacv1.PolicyRule) runtime.Object {
	return &rbacv1.Role{ObjectMeta: named(namespace, name), Rules: rules}
}

func clusterRole(name string, rules ...rbacv1.PolicyRule) runtime.Object {
	return &rbacv1.ClusterRole{ObjectMeta: named("", name), Rules: rules}
}

func roleBinding(namespace, name, kind, role string, subjects ...rbacv1.Subject) runtime.Object {
	ref := rbacv1.RoleRef{Kind: kind, Name: role}
	return &rbacv1.RoleBinding{ObjectMeta: named(namespace, name), RoleRef: ref, Subjects: subjects}
}

func clusterRoleBinding(name, kind, role string, subjects ...rbacv1.Subject) runtime.Object {
	ref := rbacv1.RoleRef{Kind: kind, Name: role}
	return &rbacv1.ClusterRoleBinding{ObjectMeta: named("", name), RoleRef: ref, Subjects: subjects}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		objects []runtime.Object
		want    string // the error of the last object
	}
	rows := []test{
		{
			row:     row{"same name in different namespaces", "roles are named within their namespace"},
			objects: []runtime.Object{role("a", "r"), role("b", "r"), clusterRole("r")},
		},
		{
			row:     row{"namespace on a cluster role", "an API server drops it, so it must not make a Role of it"},
			objects: []runtime.Object{role("a", "r"), &rbacv1.ClusterRole{ObjectMeta: named("a", "r")}},
		},
		{
			row:     row{"role twice", "the second would replace the first unnoticed"},
			objects: []runtime.Object{role("a", "r"), role("a", "r")},
			want:    `metadata.name: Role "a/r" is given twice`,
		},
		{
			row:     row{"binding twice", "in a cluster only one of them could exist"},
			objects: []runtime.Object{clusterRoleBinding("b", "ClusterRole", "r"), clusterRoleBinding("b", "ClusterRole", "s")},
			want:    `metadata.name: ClusterRoleBinding "b" is given twice`,
		},
		{
			row:     row{"nameless", "nothing can refer to it"},
			objects: []runtime.Object{clusterRole("")},
			want:    "metadata.name: required",
		},
		{
			row:     row{"nowhere", "it would count as cluster-wide"},
			objects: []runtime.Object{roleBinding("", "b", "Role", "r")},
			want:    "metadata.namespace: required",
		},
		{
			row:     row{"cluster-wide binding of a role", "a role has no meaning outside its namespace"},
			objects: []runtime.Object{clusterRoleBinding("b", "Role", "r")},
			want:    `roleRef.kind: a ClusterRoleBinding cannot bind a "Role"`,
		},
		{
			row:     row{"binding without a role", "a forgotten roleRef would grant nothing and say nothing"},
			objects: []runtime.Object{roleBinding("a", "b", "", "")},
			want:    `roleRef.kind: a RoleBinding cannot bind a ""`,
		},
		{
			row:     row{"something else", "a policy must not be silently incomplete"},
			objects: []runtime.Object{&corev1.Pod{}},
			want:    "kind: *v1.Pod is not a role or a binding of rbac.authorization.k8s.io/v1",
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		var p rbac.Policy
		last := len(tc.objects) - 1
		for _, obj := range tc.objects[:last] {
			if err := p.Add(obj); err != nil {
				t.Fatalf("Add: %v", err)
			}
		}
		var got string
		if err := p.Add(tc.objects[last]); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("got %q, want %q: %s", got, tc.want, tc.Why())
		}
	})
}
