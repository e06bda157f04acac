package replaytest

import (
	"fmt"
	"strings"
)

// count is the number of webhooks, and of policies.
const count = 20

// Manifests returns 20 webhooks and 20 policies, as YAML. The first ones see the
// creation of pods, as many of each as pods says; the others that of Deployments.
// A fourth of them are mutating and add a label. The third validating webhook
// denies pods with a name that ends in 7.
func Manifests(pods int) string {
	var all []string
	for i := range count {
		resource, group := "pods", ""
		if i >= pods {
			resource, group = "deployments", "apps"
		}
		all = append(all, webhook(i, group, resource), policy(i, group, resource))
	}
	return strings.Join(all, "---\n")
}

func isMutating(i int) bool { return i%4 == 0 }

func webhook(i int, group, resource string) string {
	kind, path := "Validating", "/validate"
	if isMutating(i) {
		kind, path = "Mutating", "/mutate"
	}
	return fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: %sWebhookConfiguration
metadata: {name: hook-%02d}
webhooks:
- name: hook-%02[2]d.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: hook-%02[2]d, namespace: webhooks, path: %s}}
  rules: [{apiGroups: [%q], apiVersions: [v1], resources: [%s], operations: [CREATE]}]
  namespaceSelector: {matchExpressions: [{key: system, operator: DoesNotExist}]}
`, kind, i, path, group, resource)
}

func policy(i int, group, resource string) string {
	kind, rest := "Validating", fmt.Sprintf(`  variables: [{name: containers, expression: object.spec.containers}]
  validations: [{expression: "variables.containers.all(c, c.image != 'image-%d')"}]`, i)
	action := "  validationActions: [Deny]\n"
	if isMutating(i) {
		kind, action, rest = "Mutating", "", fmt.Sprintf(`  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/labels/p%d', value: 'yes'}]"}`, i)
	}
	return fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: %sAdmissionPolicy
metadata: {name: policy-%02d}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [%q], apiVersions: [v1], resources: [%s], operations: [CREATE]}]
%s
---
apiVersion: admissionregistration.k8s.io/v1
kind: %[1]sAdmissionPolicyBinding
metadata: {name: policy-%02[2]d}
spec:
  policyName: policy-%02[2]d
%[6]s`, kind, i, group, resource, rest, action)
}
