package embedding

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// atMetadata is the name of an object whose requests are logged at the level
// Metadata. An audit policy cannot distinguish requests by the name of a
// created object, unless it is in the path.
const atMetadata = "at-metadata"

const auditPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  resources: [{group: "*", resources: ["*"], resourceNames: [` + atMetadata + `]}]
- level: Request
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

// noteAudit writes down the annotations of all requests in the namespace, but
// for those about markers. Events are written after the client has the
// response.
func (w *world) noteAudit(t *testing.T) {
	t.Helper()
	var found []*auditv1.Event
	want := int(w.requests.Load())
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		text, err := os.ReadFile(w.audit)
		found = events(text, w.namespace)
		return len(found) == want, err
	})
	if err != nil {
		t.Fatalf("the audit log has %d events in %s, want %d: %v", len(found), w.namespace, want, err)
	}
	slices.SortFunc(found, func(a, b *auditv1.Event) int {
		return a.RequestReceivedTimestamp.Compare(b.RequestReceivedTimestamp.Time)
	})
	for _, e := range found {
		r := e.ObjectRef
		if r.Name == markerLabel {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(e.Annotations)) {
			// Those of the server: a slow machine adds latencies, and every
			// request has a decision.
			if !strings.HasPrefix(key, "apiserver.latency.k8s.io/") && !strings.HasPrefix(key, "authorization.k8s.io/") {
				w.note("audit of %s %s at %s: %s = %s", e.Verb, path.Join(r.Resource, r.Name, r.Subresource), e.Level, key, w.plain(e.Annotations[key]))
			}
		}
	}
}

// events returns the events of a namespace from a log.
func events(log []byte, namespace string) []*auditv1.Event {
	var found []*auditv1.Event
	for line := range bytes.Lines(log) {
		e := &auditv1.Event{}
		if json.Unmarshal(line, e) != nil || e.ObjectRef == nil {
			continue // the last line may be on its way
		}
		if e.ObjectRef.Namespace == namespace {
			found = append(found, e)
		}
	}
	return found
}
