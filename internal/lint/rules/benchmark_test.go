package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/rules"
)

// large has 500 webhooks of 60 backends: each receives some of the resources.
func large() string {
	resources := []string{"pods", "deployments", "services", "configmaps", "secrets", "leases", "nodes", "*", "jobs", "widgets"}
	groups := map[string]string{"deployments": "apps", "leases": "coordination.k8s.io", "jobs": "batch", "widgets": "example.com", "*": "*"}
	var all strings.Builder
	for i := range 500 {
		if i%10 == 0 {
			fmt.Fprintf(&all, "---\napiVersion: admissionregistration.k8s.io/v1\n"+
				"kind: %sWebhookConfiguration\nmetadata: {name: drawn-%d}\nwebhooks:\n", []string{"Mutating", "Validating"}[i/10%2], i)
		}
		r := resources[i%len(resources)]
		if r == "*" && i%100 != 7 {
			r = "configmaps"
		}
		fmt.Fprintf(&all, `- name: w%d.example.com
  clientConfig: {service: {namespace: hooks-%d, name: hook}}
  rules: [{operations: ["*"], apiGroups: [%q], apiVersions: ["*"], resources: [%q]}]
  timeoutSeconds: %d
  failurePolicy: %s
  sideEffects: None
  admissionReviewVersions: [v1]
`, i, i%60, groups[r], r, 1+i%15, []string{"Fail", "Ignore"}[i/60%2])
	}
	return all.String()
}

// BenchmarkLint reads the large configuration, runs all requests and all rules.
func BenchmarkLint(b *testing.B) {
	text := large()
	for b.Loop() {
		in, err := inventory.Read(inventory.Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
		if err != nil {
			b.Fatal(err)
		}
		c, err := lint.NewCluster(b.Context(), in, time.Now(), nil)
		if err != nil {
			b.Fatal(err)
		}
		report, err := lint.Run(c, rules.All())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(report.Findings)), "findings")
		in.Close()
	}
}
