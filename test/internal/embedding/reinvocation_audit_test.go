package embedding

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

const podPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Request
  resources: [{group: "", resources: [pods]}]
- level: None
`

// annotations are those that the audit log has to have of the row.
func (r reinvocationRow) annotations() map[string]string {
	want := map[string]string{}
	about := func(key string) string {
		var round, index int
		_, _ = fmt.Sscanf(key, "round_%d_index_%d", &round, &index)
		return fmt.Sprintf(`{"configuration":"admission.integration.test-%s","webhook":"%s"`, strings.TrimPrefix(r.Name(), "I-R"), r.name(index))
	}
	for key, mutated := range r.mutated {
		want["mutation.webhook.admission.k8s.io/"+key] = fmt.Sprintf(`%s,"mutated":%t}`, about(key), mutated)
	}
	for key, operations := range r.patched {
		want["patch.webhook.admission.k8s.io/"+key] = fmt.Sprintf(`%s,"patch":%s,"patchType":"JSONPatch"}`, about(key), operations)
	}
	return want
}

// annotations are those of the plugins that the audit log has of the pod. The
// event is written after the client has its answer.
func (s *prioritizing) annotations(t *testing.T, namespace string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		text, err := os.ReadFile(s.audit)
		all := events(text, namespace)
		i := slices.IndexFunc(all, func(e *auditv1.Event) bool { return e.ObjectRef.Name == "labeled" })
		if err != nil || i < 0 {
			return false, err
		}
		e := all[i]
		if e.Level != "Request" || e.Stage != "ResponseComplete" || e.ResponseStatus.Code != 201 {
			t.Errorf("the event is of level %s, stage %s and code %d", e.Level, e.Stage, e.ResponseStatus.Code)
		}
		for key, value := range e.Annotations {
			if prefix, _, _ := strings.Cut(key, "/"); strings.HasSuffix(prefix, ".webhook.admission.k8s.io") {
				found[key] = value
			}
		}
		return true, nil
	})
	if err != nil {
		t.Fatalf("the audit log has no event about the pod in %s: %v", namespace, err)
	}
	return found
}
