package formats

import (
	"path/filepath"
	"slices"
	"testing"

	"example.com/gatehouse/internal/cli/doctor"
	"example.com/gatehouse/internal/cli/lint"
	"example.com/gatehouse/internal/cli/outage"
	"example.com/gatehouse/internal/testutil/testtable"
)

// lintCase is an output of gatehouse lint.
type lintCase struct {
	row
	// rules are those of --only, and more is what else is in the webhook.
	rules, resources, more string
	// metadata is what else is in the metadata.
	metadata string
	want     counts
}

func lintCases() []lintCase {
	const some = "matches-everything,blocks-nodes,blocks-rbac,one-replica,timeout-long"
	return []lintCase{
		{row: row{"nothing wrong", "there are no results then"}, rules: "blocks-nodes", resources: "[pods]", want: counts{passed: 1}},
		{row: row{"one cause", "what follows from a finding is a part of it"}, rules: some, resources: `["*"]`,
			want: counts{passed: 1, failed: 1, skipped: 3}},
		{row: row{"two findings", "they have different causes"}, rules: some, resources: "[nodes, clusterroles]", more: "  timeoutSeconds: 20\n",
			want: counts{passed: 1, failed: 3, skipped: 1}},
		{row: row{"silenced", "reasons are texts of users"}, rules: some, resources: `["*"]`,
			metadata: `, annotations: {lint.gatehouse/matches-everything: "]]></failure> \e[31m <&\"' \u2028"}`,
			want:     counts{passed: 4, skipped: 1}},
		{row: row{"all", "that is what people run"}, resources: `["*"]`},
	}
}

// produce returns what the command prints about a case.
func (c *lintCase) produce(t *testing.T, form string) []byte {
	t.Helper()
	args := []string{"-o", form, c.write(t)}
	if c.rules != "" {
		args = append(args, "--only", c.rules)
	}
	return run(t, lint.New(), args...)
}

// write writes the configuration, into a folder whose name is none for a URI.
func (c *lintCase) write(t *testing.T) string {
	t.Helper()
	return write(t, filepath.Join(t.TempDir(), "a b?#"), "hooks.yaml", `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard`+c.metadata+`}
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: guard, name: guard}}
  rules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: `+c.resources+`}]
  sideEffects: None
  admissionReviewVersions: [v1]
`+c.more)
}

func TestLintSARIF(t *testing.T) {
	t.Parallel()
	schema := standard(t)
	testtable.Run(t, lintCases(), func(t *testing.T, tc lintCase) { hold(t, schema, tc.produce(t, "sarif")) })
}

func TestLintJUnit(t *testing.T) {
	t.Parallel()
	xmllint(t)
	testtable.Run(t, lintCases(), func(t *testing.T, tc lintCase) { lintXML(t, tc.produce(t, "junit")) })
}

// TestLintJUnitIsRead likewise.
func TestLintJUnitIsRead(t *testing.T) {
	t.Parallel()
	// Without rules of its own a case does not say how many there are.
	counted := slices.DeleteFunc(lintCases(), func(tc lintCase) bool { return tc.rules == "" })
	testtable.Run(t, counted, func(t *testing.T, tc lintCase) {
		if got := ingest(t, tc.produce(t, "junit")); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.Why(), got, tc.want)
		}
	})
}

func TestLintJSON(t *testing.T) {
	t.Parallel()
	schema := documented(t, "lintreport")
	testtable.Run(t, lintCases(), func(t *testing.T, tc lintCase) { hold(t, schema, tc.produce(t, "json")) })
}

func TestOutageJSON(t *testing.T) {
	t.Parallel()
	schema := documented(t, "outagereport")
	testtable.Run(t, lintCases(), func(t *testing.T, tc lintCase) {
		hold(t, schema, run(t, outage.New(), "-o", "json", tc.write(t)))
	})
}

func TestDoctorJSON(t *testing.T) {
	t.Parallel()
	schema := documented(t, "doctorreport")
	testtable.Run(t, lintCases(), func(t *testing.T, tc lintCase) {
		hold(t, schema, run(t, doctor.New(), "-o", "json", "-f", tc.write(t)))
	})
}
