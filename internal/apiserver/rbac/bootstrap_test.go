package rbac

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestBootstrapBindings: each binding grants a role that exists.
func TestBootstrapBindings(t *testing.T) {
	t.Parallel()
	var known []string
	for _, o := range ClusterRoles() {
		known = append(known, "ClusterRole "+o.(*rbacv1.ClusterRole).Name)
	}
	for _, o := range Roles() {
		known = append(known, "Role "+o.(*rbacv1.Role).Name)
	}
	for _, o := range slices.Concat(ClusterRoleBindings(), RoleBindings()) {
		var ref rbacv1.RoleRef
		switch b := o.(type) {
		case *rbacv1.ClusterRoleBinding:
			ref = b.RoleRef
		case *rbacv1.RoleBinding:
			ref = b.RoleRef
		}
		if !slices.Contains(known, ref.Kind+" "+ref.Name) {
			t.Errorf("no %s is named %s", ref.Kind, ref.Name)
		}
	}
}

// TestBootstrapRules: each rule grants something, and a few are compared as a
// whole.
func TestBootstrapRules(t *testing.T) {
	t.Parallel()
	rules := map[string][]rbacv1.PolicyRule{}
	for _, o := range slices.Concat(ClusterRoles(), Roles()) {
		name, found := rulesOfObject(o)
		if rules[name] != nil {
			t.Errorf("%s exists twice", name)
		}
		rules[name] = found
		for _, r := range found {
			onResources := len(r.APIGroups) > 0 && len(r.Resources) > 0 && len(r.NonResourceURLs) == 0
			onURLs := len(r.APIGroups)+len(r.Resources)+len(r.ResourceNames) == 0 && len(r.NonResourceURLs) > 0
			if len(r.Verbs) == 0 || onResources == onURLs {
				t.Errorf("%s has a rule that grants nothing: %+v", name, r)
			}
		}
	}
	want := map[string][]rbacv1.PolicyRule{
		"cluster-admin": {
			{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
			{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
		},
		"extension-apiserver-authentication-reader": {{
			Verbs: []string{"get", "list", "watch"}, APIGroups: []string{""}, Resources: []string{"configmaps"},
			ResourceNames: []string{"extension-apiserver-authentication"},
		}},
		"system:auth-delegator": {
			{Verbs: []string{"create"}, APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"tokenreviews"}},
			{Verbs: []string{"create"}, APIGroups: []string{"authorization.k8s.io"}, Resources: []string{"subjectaccessreviews"}},
		},
	}
	for name, r := range want {
		if diff := cmp.Diff(r, rules[name]); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", name, diff)
		}
	}
}

func rulesOfObject(o runtime.Object) (string, []rbacv1.PolicyRule) {
	if role, ok := o.(*rbacv1.Role); ok {
		return role.Name, role.Rules
	}
	role := o.(*rbacv1.ClusterRole)
	return role.Name, role.Rules
}
