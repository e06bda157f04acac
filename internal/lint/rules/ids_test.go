package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/rules"
)

// otherPhase makes configurations of the other phase, with the same names.
var otherPhase = strings.NewReplacer("kind: Validating", "kind: Mutating", "kind: Mutating", "kind: Validating",
	"reinvocationPolicy:", "# reinvocationPolicy:")

// TestIDsAreUnique: no two findings of a report have the same ID, also if a configuration
// of the other phase has the same names.
func TestIDsAreUnique(t *testing.T) {
	t.Parallel()
	files, findings := 0, 0
	for _, pattern := range []string{
		filepath.Join(projects, "*.yaml"), "testdata/*/guilty.yaml", "testdata/incidents/*/before.yaml",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			files++
			text := certified(t, read(t, path))
			if before, rest, ok := strings.Cut(text, "WebhookConfiguration\n"); ok && !strings.Contains(rest, "Configuration\n") {
				text += "\n---\n" + otherPhase.Replace(documentOf(before, rest))
			}
			findings += checkIDs(t, path, examine(t, text, rules.All()...))
		}
	}
	t.Logf("%d files, %d findings", files, findings)
	if files < 150 || findings < 500 {
		t.Errorf("%d files and %d findings are too few", files, findings)
	}
}

// documentOf returns the document around its kind.
func documentOf(before, rest string) string {
	rest, _, _ = strings.Cut(rest, "\n---")
	return before[strings.LastIndex("---\n"+before, "---\n"):] + "WebhookConfiguration\n" + rest + "\n"
}

// checkIDs returns the number of findings.
func checkIDs(t *testing.T, path string, report *lint.Report) int {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range report.Findings {
		if seen[f.ID] {
			t.Errorf("%s: the ID %s is there twice", path, f.ID)
		}
		seen[f.ID] = true
	}
	return len(report.Findings)
}

// TestIDsStay: the ID of a finding is that of its object, whatever else is among the
// inputs.
func TestIDsStay(t *testing.T) {
	t.Parallel()
	const guilty = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: guard, name: guard}}
  rules:
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [nodes]}
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [Pod]}
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [Secret]}
  timeoutSeconds: 20
  admissionReviewVersions: [v1]
  sideEffects: None
`
	want := []string{
		"timeout-long/validating/guard/guard.example.com",
		"never-called/validating/guard/guard.example.com/rules[1]", "never-called/validating/guard/guard.example.com/rules[2]",
	}
	for _, text := range []string{
		guilty, guilty + "---\n" + otherPhase.Replace(guilty), otherPhase.Replace(guilty) + "---\n" + guilty,
	} {
		found := map[string]bool{}
		for _, f := range examine(t, text, rules.All()...).Findings {
			found[f.ID] = true
		}
		for _, id := range want {
			if !found[id] {
				t.Errorf("no finding %s among %v", id, found)
			}
		}
	}
}
