package record

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog/rawjson"
)

// confirm returns why validating webhooks may have received another object than the one that
// was sent and patched by the mutating ones; empty if they did not. Before a server calls them,
// it resets what the endpoint does not store: the status, or all but the status. old is
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
	if d.hasUnknownDefaults(object) && !contains(after, answer) {
		return Defaults
	}
	return ""
}

// confirmUnanswered is confirm for a request without an answer: it must not change what the
// endpoint does not store.
func (d *draft) confirmUnanswered(object, old json.RawMessage) Reason {
	e := d.event
	if d.hasUnknownDefaults(object) {
		return Defaults
	}
	sent, before := contentOf(object), contentOf(old)
	same := true
	switch {
	case e.Ref.Subresource == "":
		same = equality.Semantic.DeepEqual(statusOf(sent), statusOf(before))
	case e.Ref.Subresource == "status":
		delete(sent, "status")
		delete(before, "status")
		same = equality.Semantic.DeepEqual(sent, before)
	case old != nil:
		same = false // such as resize
	}
	if !same {
		return Changed
	}
	return ""
}

// hasUnknownDefaults reports whether a server may have added defaults to the patch of a custom
// resource. Metadata has none.
func (d *draft) hasUnknownDefaults(object json.RawMessage) bool {
	e := d.event
	if e.Verb != "patch" {
		return false
	}
	if _, builtIn := d.objects.Defaulted(object); builtIn {
		return false
	}
	outside := false
	rawjson.Members(e.RequestObject, 0, func(key, _ []byte) bool {
		outside = outside || string(key) != "metadata"
		return true
	})
	rawjson.Items(e.RequestObject, func(operation []byte) bool {
		for _, key := range []string{"path", "from"} {
			at := rawjson.Lookup(operation, key)
			outside = outside || at != nil && !strings.HasPrefix(rawjson.Text(at), "/metadata/")
		}
		return true
	})
	return outside
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

// statusOf returns the status of an object. An empty one is as good as none.
func statusOf(object map[string]any) any {
	if status, ok := object["status"].(map[string]any); ok && len(status) == 0 {
		return nil
	}
	return object["status"]
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
	withoutEmpty(object.Object)
	return object.Object
}

// withoutEmpty removes empty labels and annotations, which servers do not keep.
func withoutEmpty(object map[string]any) {
	for _, field := range []string{"annotations", "labels"} {
		value, _, _ := unstructured.NestedFieldNoCopy(object, "metadata", field)
		if m, ok := value.(map[string]any); ok && len(m) == 0 {
			unstructured.RemoveNestedField(object, "metadata", field)
		}
	}
}
