package record

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/dispatcher/explain"
)

// confirm returns why validating webhooks may have seen another object than the one that was
// sent and patched by the mutating ones; empty if they did not. Before they are called, a
// server resets what the endpoint does not store: the status, or all but the status. old is
// nil for a new object.
func (d *draft) confirm(object, old json.RawMessage) Reason {
	e := d.event
	answer := e.ResponseObject
	if e.Failed() || answer == nil {
		return d.confirmUnanswered(object, old)
	}
	if e.Ref.Subresource != "" && old == nil {
		return "" // the answer is no object
	}
	after, err := d.objects.AfterCalls(e, object)
	if err != nil || !contains(answer, after) {
		if e.Verb == "patch" {
			return PatchResult
		}
		return Changed
	}
	if e.Verb == "patch" && !d.isBuiltIn(object) && !contains(after, answer) {
		return Defaults
	}
	return ""
}

// confirmUnanswered is confirm for a request without an answer: it must not change what the
// endpoint does not store.
func (d *draft) confirmUnanswered(object, old json.RawMessage) Reason {
	e := d.event
	if e.Verb == "patch" && !d.isBuiltIn(object) {
		return Defaults
	}
	sent, before := contentOf(object), contentOf(old)
	same := true
	switch {
	case e.Ref.Subresource == "":
		same = equal(sent["status"], before["status"])
	case e.Ref.Subresource == "status":
		delete(sent, "status")
		delete(before, "status")
		same = equal(sent, before)
	case old != nil:
		same = false // such as resize
	}
	if !same {
		return Changed
	}
	return ""
}

func (d *draft) isBuiltIn(object json.RawMessage) bool {
	_, ok := d.objects.Defaulted(object)
	return ok
}

// contains reports whether an object has all of another one but what each write changes.
func contains(object, part json.RawMessage) bool {
	text, err := json.Marshal(contentOf(part))
	if err != nil {
		return false
	}
	differences, err := explain.Subset(text, object)
	return err == nil && len(differences) == 0
}

// equal reports whether two values have the same content. An empty map is as good as none.
func equal(a, b any) bool {
	first, err := json.Marshal(a)
	second, err2 := json.Marshal(b)
	if m, ok := a.(map[string]any); ok && len(m) == 0 || a == nil {
		m, ok = b.(map[string]any)
		return b == nil || ok && len(m) == 0
	}
	return err == nil && err2 == nil && string(first) == string(second)
}

// contentOf returns an object without the metadata that servers set.
func contentOf(text json.RawMessage) map[string]any {
	object := &unstructured.Unstructured{}
	if object.UnmarshalJSON(text) != nil {
		return map[string]any{}
	}
	for _, field := range []string{
		"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "generation",
		"managedFields", "resourceVersion", "selfLink", "uid",
	} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	return object.Object
}
