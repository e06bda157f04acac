package apiserver

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// testAudit looks for audit annotations of a webhook.
func testAudit(t *testing.T, w *world) {
	namespace := w.namespace(t)
	w.install(t, "MutatingWebhookConfiguration", webhook{handler("/talkative"), `"CREATE"`, "/configmaps", inNamespace(namespace)})
	must[*unstructured.Unstructured](t)(w.configMaps(t, namespace).Create(t.Context(), configMap(), metav1.CreateOptions{}))
	var found *auditv1.Event
	eventually(t, "nothing is logged", func() bool {
		log, err := os.ReadFile(w.auditLog)
		if err != nil {
			t.Fatal(err)
		}
		found = event(log, "configmaps", namespace)
		return found != nil
	})
	want := map[string]string{
		"authorization.k8s.io/decision":                    "allow",
		"authorization.k8s.io/reason":                      "",
		"hook-0.example.com/seen":                          "yes",
		"mutation.webhook.admission.k8s.io/round_0_index_": `{"configuration":"` + own(t) + `","webhook":"hook-0.example.com","mutated":false}`,
	}
	maps.DeleteFunc(found.Annotations, func(key, _ string) bool {
		return strings.HasPrefix(key, "apiserver.latency.k8s.io/") // only requests that take half a second have them
	})
	if diff := cmp.Diff(want, anyIndex(found.Annotations)); diff != "" || found.Level != auditv1.LevelMetadata {
		t.Errorf("annotations at level %s (-want, +got):\n%s", found.Level, diff)
	}
}

// anyIndex leaves out which of the webhooks of all tests it is.
func anyIndex(annotations map[string]string) map[string]string {
	same := map[string]string{}
	for key, value := range annotations {
		same[strings.TrimRight(key, "0123456789")] = value
	}
	return same
}

// event returns the last event about a resource in a namespace.
func event(log []byte, plural, namespace string) *auditv1.Event {
	var last *auditv1.Event
	for line := range bytes.Lines(log) {
		e := &auditv1.Event{}
		if json.Unmarshal(line, e) != nil || e.ObjectRef == nil {
			continue // the last line may be on its way
		}
		if e.ObjectRef.Resource == plural && e.ObjectRef.Namespace == namespace {
			last = e
		}
	}
	return last
}

func TestAuditRejected(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	policy := filepath.Join(folder, "policy")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(folder, "broken")
	if err := os.WriteFile(broken, []byte(`{"kind":"Pod"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	type test struct {
		row
		audit Audit
		want  string
	}
	rows := []test{
		{row{"no policy", "it decides what is logged"}, Audit{LogFile: filepath.Join(folder, "log")}, "an audit log needs a policy file and a log file"},
		{row{"no log", "the log has no default file"}, Audit{PolicyFile: policy}, "an audit log needs a policy file and a log file"},
		{row{"missing policy", "the path is wrong"}, Audit{filepath.Join(folder, "missing"), filepath.Join(folder, "log")}, "preparing the audit log: loading audit policy file: "},
		{row{"broken policy", "it is something else"}, Audit{broken, filepath.Join(folder, "log")}, "preparing the audit log: loading audit policy file: "},
		{row{"log is a folder", "it cannot be written"}, Audit{policy, folder}, "preparing the audit log: ensureLogFile: "},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		rejected(t, t.Context(), Config{Audit: r.audit}, r.want)
	})
}
