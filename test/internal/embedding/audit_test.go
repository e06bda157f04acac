package embedding

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// The names of objects whose requests are logged at these levels. An audit
// policy cannot distinguish requests by the name of a created object, unless it
// is in the path.
const (
	atMetadata = "at-metadata"
	atRequest  = "at-request"
)

const auditPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Request
  resources: [{group: "*", resources: ["*"], resourceNames: [` + atRequest + `]}]
- level: Metadata
`

// writeAuditPolicy returns a file with a policy, and one for the log.
func writeAuditPolicy(t *testing.T, text string) (policy, log string) {
	t.Helper()
	dir := t.TempDir()
	policy = filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return policy, filepath.Join(dir, "audit.log")
}

// noteAudit writes down the annotations of the audit event about an object. The
// event is written after the client has the response.
func (w *world) noteAudit(t *testing.T, name string) {
	t.Helper()
	var found *auditv1.Event
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		text, err := os.ReadFile(w.audit)
		found = event(text, w.namespace, name)
		return found != nil, err
	})
	if err != nil {
		t.Fatalf("the audit log has no event about %s: %v", name, err)
	}
	keys := make([]string, 0, len(found.Annotations))
	for key := range found.Annotations {
		// A slow machine adds latencies.
		if !strings.HasPrefix(key, "apiserver.latency.k8s.io/") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		w.note("  %s: %s = %s", found.Level, key, w.plain(found.Annotations[key]))
	}
}

// event returns the event about an object from a log, nil if there is none.
func event(log []byte, namespace, name string) *auditv1.Event {
	for line := range bytes.Lines(log) {
		e := &auditv1.Event{}
		if json.Unmarshal(line, e) != nil || e.ObjectRef == nil {
			continue // the last line may be on its way
		}
		if e.ObjectRef.Namespace == namespace && e.ObjectRef.Name == name {
			return e
		}
	}
	return nil
}
