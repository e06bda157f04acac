package embedding

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// transcript is what a scenario writes down.
type transcript struct {
	mu    sync.Mutex
	lines []string
}

func (j *transcript) note(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

// noted makes a webhook write down the request before it responds.
func (j *transcript) noted(t *testing.T, name string, a answer) answer {
	return func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		j.note("  %s: %s", name, shown(t, r))
		return a(r)
	}
}

// text is the whole transcript.
func (j *transcript) text() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Join(j.lines, "\n") + "\n"
}

// shown describes a request as I-A requires: operation, resource, version,
// objects and options.
func shown(t *testing.T, r *admissionv1.AdmissionRequest) string {
	at := func(r metav1.GroupVersionResource, subresource string) string {
		text := r.Resource + "." + r.Version
		if subresource != "" {
			text += "/" + subresource
		}
		return text
	}
	text := fmt.Sprintf("%s %s", r.Operation, at(r.Resource, r.SubResource))
	if r.RequestResource != nil && *r.RequestResource != r.Resource {
		text += " for " + at(*r.RequestResource, r.RequestSubResource)
	}
	text += fmt.Sprintf(" %q, %s: object %s, old %s, options %s", r.Name, r.Kind.Kind, gist(t, r.Object), gist(t, r.OldObject), gist(t, r.Options))
	if r.DryRun != nil && *r.DryRun {
		text += ", dry run"
	}
	return text
}

// gist is an object without what differs from run to run, or needs no saying.
func gist(t *testing.T, object runtime.RawExtension) string {
	if len(object.Raw) == 0 {
		return "null"
	}
	var fields map[string]any
	if err := json.Unmarshal(object.Raw, &fields); err != nil {
		t.Errorf("a webhook was shown %q: %v", object.Raw, err)
		return "broken"
	}
	if metadata, ok := fields["metadata"].(map[string]any); ok {
		for name := range metadata {
			if !slices.Contains([]string{"name", "labels", "finalizers"}, name) {
				delete(metadata, name)
			}
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
