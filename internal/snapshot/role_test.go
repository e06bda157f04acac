package snapshot

import (
	"fmt"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestParamRoles: with a namespace, the roles allow to read params in other namespaces, too.
func TestParamRoles(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		ref  string
		want string
	}
	testtable.Run(t, []test{
		{row{"other namespace", "the role for the snapshot's namespace does not apply there"}, "{name: a, namespace: b}",
			"b: [list] [apps] [deployments] [a]"},
		{row{"namespace of the snapshot", "its role has the kind"}, "{name: a}", ""},
	}, func(t *testing.T, tc test) {
		s := &server{objects: map[string]string{
			policiesPath: "{kind: ValidatingAdmissionPolicyList, items: [" +
				"{metadata: {name: p}, spec: {paramKind: {apiVersion: apps/v1, kind: Deployment}}}]}",
			bindingsPath: fmt.Sprintf("{kind: ValidatingAdmissionPolicyBindingList, items: ["+
				"{metadata: {name: a}, spec: {policyName: p, paramRef: %s}}]}", tc.ref),
		}}
		roles, err := Roles(t.Context(), Config{Client: s.start(t), Namespace: "ns"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range roles {
			role, ok := o.(*rbacv1.Role)
			if !ok || role.Namespace == "ns" {
				continue
			}
			for _, rule := range role.Rules {
				got = append(got, fmt.Sprintf("%s: %v %v %v %v", role.Namespace, rule.Verbs, rule.APIGroups, rule.Resources, rule.ResourceNames))
			}
		}
		if got := strings.Join(got, "\n"); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}
