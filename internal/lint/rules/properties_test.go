package rules_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/rules"
)

// policies are those of public projects.
const policies = "../../../admission/registration/policy/testdata/projects"

// TestNoPanic: the policies of public projects, each file alone, and all twins.
// TestFindingsPage does the same with webhook configurations.
func TestNoPanic(t *testing.T) {
	t.Parallel()
	examined, findings := 0, 0
	for _, pattern := range []string{filepath.Join(policies, "*.yaml"), "testdata/*/guilty.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			in, err := inventory.Read(inventory.Files{Paths: []string{file}})
			if err != nil && strings.HasPrefix(file, "testdata") {
				t.Error(err)
			}
			if err != nil {
				continue // an API server refuses it: a policy for manifests
			}
			examined++
			c, err := lint.NewCluster(t.Context(), in, now, nil)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			report, err := lint.Run(c, rules.All())
			if err != nil {
				t.Errorf("%s: %v", file, err)
			}
			findings += len(report.Findings)
			in.Close()
		}
	}
	t.Logf("%d files, %d findings", examined, findings)
	if examined < 90 {
		t.Errorf("only %d files were examined", examined)
	}
}

// TestTokenRequests: the request for a token of a service account has an object without
// metadata.
func TestTokenRequests(t *testing.T) {
	t.Parallel()
	examine(t, `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: tokens}
webhooks:
- name: tokens.example.com
  clientConfig: {url: "https://tokens.example.com"}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [serviceaccounts/token]}]
  objectSelector: {matchExpressions: [{key: x, operator: DoesNotExist}]}
  sideEffects: None
  admissionReviewVersions: [v1]
`, rules.All()...)
}

// TestOrderOfFiles: the order of the files does not change the findings about them.
func TestOrderOfFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var there []string
	for _, name := range []string{"agones", "consul", "dapr", "gatekeeper", "kyverno", "vault", "volcano"} {
		file := filepath.Join(folder, name+".yaml")
		if err := os.WriteFile(file, []byte(read(t, filepath.Join(projects, name+".yaml"))), 0o600); err != nil {
			t.Fatal(err)
		}
		there = append(there, file)
	}
	back := slices.Clone(there)
	slices.Reverse(back)
	got, want := findingsIn(t, back), findingsIn(t, there)
	if !slices.Equal(got, want) {
		t.Errorf("the findings differ:\n%s\n\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(want) < 30 {
		t.Errorf("only %d findings", len(want))
	}
}

// pairwise are rules about two webhooks, which name the second.
var pairwise = []string{"name-repeated", "called-twice", "called-per-version", "policies-do-not-commute", "serial-timeouts"}

// findingsIn returns what rules find about each file, sorted.
func findingsIn(t *testing.T, files []string) []string {
	t.Helper()
	in, err := inventory.Read(inventory.Files{Paths: files})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	c, err := lint.NewCluster(t.Context(), in, now, nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := lint.Run(c, rules.All())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range report.Findings {
		if !slices.Contains(pairwise, f.Rule.ID) {
			all = append(all, fmt.Sprintf("%s %s %s %s", f.Position().File, f.Rule.ID, f.Subject, f.Message))
		}
	}
	slices.Sort(all)
	return all
}

// TestNoSecrets: nothing of a Secret's data is in a report.
func TestNoSecrets(t *testing.T) {
	t.Parallel()
	examined := 0
	for _, rule := range rules.All() {
		for _, twin := range []string{"guilty.yaml", "innocent.yaml"} {
			text := read(t, filepath.Join("testdata", rule.ID, twin))
			if !strings.Contains(text, "kind: Secret") {
				continue
			}
			text = certified(t, text)
			examined++
			report := examine(t, text, rules.All()...)
			for _, f := range report.Findings {
				said := fmt.Sprintln(f.Subject, f.Field, f.Message, f.Evidence, f.Silenced)
				for _, w := range f.Witnesses {
					said += string(w.Request.Manifest) + w.Outcome.Message
				}
				for _, secret := range secretsOf(t, text) {
					if strings.Contains(said, secret) {
						t.Errorf("%s says something of a Secret: %s", f.ID, said)
					}
				}
			}
		}
	}
	if examined < 10 {
		t.Errorf("only %d files have a Secret", examined)
	}
}

// secretsOf returns parts of what stands after tls.key and tls.crt, as it is and decoded.
func secretsOf(t *testing.T, text string) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(text) {
		_, data, ok := strings.Cut(line, "tls.")
		if ok && len(data) > 100 {
			all = append(all, data[60:90])
			_, encoded, _ := strings.Cut(data, ": ")
			decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
			if lines := strings.Split(string(decoded), "\n"); err == nil && len(lines) > 2 {
				all = append(all, lines[1]) // below BEGIN
			} else {
				t.Errorf("no PEM: %s", line)
			}
		}
	}
	return all
}
