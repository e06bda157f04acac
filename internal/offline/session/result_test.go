package session

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/explain"
)

const servicesAndWebhook = `
{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 1}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: b}, spec: {ports: [{port: 1}]}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: c}
webhooks:
- name: w.example.com
  clientConfig: {url: "https://w.example.com/"}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [services]}]
  failurePolicy: Ignore
  sideEffects: None
  admissionReviewVersions: [v1]
`

// explained returns the explanations of two services, whose webhook answers
// 500.
func explained(t *testing.T, trace bool) []*explain.Explanation {
	t.Helper()
	file := filepath.Join(t.TempDir(), "in.yaml")
	if err := os.WriteFile(file, []byte(servicesAndWebhook), 0o600); err != nil {
		t.Fatal(err)
	}
	o := NewOptions()
	o.Objects, o.Stderr, o.Trace = []string{file}, new(strings.Builder), trace
	o.Client = client.InProcess(func(*admission.Webhook) http.Handler { return http.HandlerFunc(outOfOrder) })
	session, err := Prepare(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	var all []*explain.Explanation
	see := func(v *Result) error {
		all = append(all, v.Explain())
		return nil
	}
	if err := session.Admit(t.Context(), see); err != nil {
		t.Fatal(err)
	}
	return all
}

func outOfOrder(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "", http.StatusInternalServerError)
}

// TestExplainCounts: each object has its own metrics, although one engine
// counts them all, and no times, which differ from run to run.
func TestExplainCounts(t *testing.T) {
	t.Parallel()
	const prefix = "apiserver_admission_"
	labels := func(more ...string) map[string]string {
		all := map[string]string{"name": "w.example.com", "type": "validating"}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	want := []explain.Metric{
		{Name: prefix + "webhook_admission_duration_seconds_count", Labels: labels("operation", "CREATE", "rejected", "false"), Delta: 1},
		{Name: prefix + "webhook_fail_open_count", Labels: labels(), Delta: 1},
		{Name: prefix + "webhook_request_total", Labels: labels("code", "500", "operation", "CREATE", "rejected", "false"), Delta: 1},
	}
	for i, e := range explained(t, true) {
		if diff := cmp.Diff(want, e.Metrics); diff != "" {
			t.Errorf("object %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestExplainTellsDefaults from what the author wrote.
func TestExplainTellsDefaults(t *testing.T) {
	t.Parallel()
	by := map[string]string{}
	for _, f := range explained(t, true)[1].Fields {
		by[f.Path] = f.Writer.By
	}
	for path, want := range map[string]string{
		"metadata.name": explain.ByUser, "metadata.namespace": explain.ByUser, "spec.ports[0].port": explain.ByUser,
		"spec.ports[0].protocol": explain.ByDefaulting, "spec.type": explain.ByDefaulting,
	} {
		if by[path] != want {
			t.Errorf("%s is by %q, want %q", path, by[path], want)
		}
	}
}

// TestExplainWithoutTrace: reasons cost nothing, and the rest was not asked
// for.
func TestExplainWithoutTrace(t *testing.T) {
	t.Parallel()
	e := explained(t, false)[0]
	if len(e.Rounds) != 1 || len(e.Fields) != 0 || e.Metrics != nil || len(e.Problems) != 0 {
		t.Errorf("got %s", e)
	}
}
