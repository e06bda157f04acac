package simulation_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/internal/lint/simulation"
)

// policy sets the label tier of ConfigMaps to the name of the policy.
func policy(name string) string {
	return `---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: ` + name + `}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{labels: {"tier": "` + name + `"}}}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: ` + name + `}
spec: {policyName: ` + name + `}
`
}

// TestOrdered: the policy that comes last wins.
func TestOrdered(t *testing.T) {
	t.Parallel()
	s, err := simulation.New(read(t, policy("gold")+policy("silver")))
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]string{{"gold", "silver"}, {"silver", "gold"}} {
		ordered, err := s.Ordered(order)
		if err != nil {
			t.Fatal(err)
		}
		result, err := ordered.Run(t.Context(), configMap(), deadline, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Object.(*corev1.ConfigMap).Labels["tier"]; got != order[1] {
			t.Errorf("after %q the tier is %q", order, got)
		}
	}
}
