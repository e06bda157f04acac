package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestLocate finds every webhook on its line, in both phases and in lists.
func TestLocate(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "hooks.yaml")
	const text = `apiVersion: v1
kind: ConfigMap
metadata: {name: c}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: c}
webhooks:
- name: a
- rules: []
  name: b
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: c}
webhooks:
- name: a
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := map[[2]string]int{}
	for key, at := range locate([]string{"-", file, filepath.Join(filepath.Dir(file), "missing.yaml")}, false) {
		if got[key] = at.Line; at.File != file {
			t.Errorf("%v is in %s", key, at.File)
		}
	}
	want := map[[2]string]int{{"mutating", "c/a"}: 9, {"mutating", "c/b"}: 11, {"validating", "c/a"}: 17}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	result := &report.Result{More: 2, Findings: []report.Finding{
		{Sample: "CREATE pods/a", Message: "no", Paths: []string{"spec.a", "spec.b"}}, {Message: "no\x1b"},
	}}
	type test struct {
		row
		of   int
		want string
	}
	testtable.Run(t, []test{
		{row{"paths", "a result has one text"}, 0, "CREATE pods/a: no (at spec.a, spec.b)"},
		{row{"last", "it speaks for those that were left out"}, 1, `no\x1b (and 2 more)`},
	}, func(t *testing.T, tc test) {
		if got := findingText(result, tc.of); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}
