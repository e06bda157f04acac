package rules_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/rules"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// causesOf returns the rules of each group of findings with the same cause.
func causesOf(report *lint.Report) []string {
	var all []string
	for _, group := range report.ByCause() {
		var names []string
		for _, f := range group {
			names = append(names, f.Rule.ID)
		}
		all = append(all, strings.Join(names, " "))
	}
	slices.Sort(all)
	return all
}

// webhookWith returns a validating configuration with a rule in the group of core, and text
// in the webhook.
func webhookWith(resources, more string) string {
	return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: guard, name: guard}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [` + resources + `]}]
  admissionReviewVersions: [v1]
  sideEffects: None
  timeoutSeconds: 2
` + more
}

const anotherWebhook = `- name: other.example.com
  clientConfig: {service: {namespace: guard, name: guard}}
  rules: []
  admissionReviewVersions: [v1beta1]
  sideEffects: None
- name: third.example.com
  clientConfig: {service: {namespace: third, name: guard}}
  rules: []
  admissionReviewVersions: [v1beta1]
  sideEffects: None
`

const aService = `---
apiVersion: v1
kind: Service
metadata: {name: other, namespace: guard}
spec: {ports: [{port: 443}]}
`

// TestCauses: what one change fixes is one group, and other findings stay alone.
func TestCauses(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text string
		only []string // all rules of the level if empty
		want []string
	}
	testtable.Run(t, []test{
		{row{"pods", "a webhook for pods needs them: the remedies differ"},
			webhookWith("pods", ""), nil, []string{"blocks-own-pods", "blocks-system-pods"}},
		{row{"subresources", "a wildcard leads to all of them"},
			webhookWith(`"pods/*"`, ""), nil,
			[]string{"blocks-own-pods", "blocks-scheduling blocks-pod-status blocks-drain", "blocks-system-pods"}},
		{row{"named", "the author asks for both, which have remedies of their own"},
			webhookWith("pods/binding, pods/eviction", ""), nil, []string{"blocks-drain", "blocks-own-pods", "blocks-scheduling"}},
		{row{"system", "no webhook needs what only the system writes"},
			webhookWith("endpoints", "  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}\n"), nil,
			[]string{"blocks-kubernetes-service"}},
		{row{"Service", "webhooks of one Service lack the same one"},
			webhookWith("secrets", anotherWebhook+aService), []string{"service-missing"}, []string{"service-missing", "service-missing service-missing"}},
	}, func(t *testing.T, tc test) {
		var chosen []*lint.Rule
		for _, r := range rules.All() {
			if slices.Contains(tc.only, r.ID) || tc.only == nil && r.Level.AtLeast(lint.Warning) {
				chosen = append(chosen, r)
			}
		}
		if got := causesOf(examine(t, tc.text, chosen...)); !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}
