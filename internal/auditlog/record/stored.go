package record

import (
	"encoding/json"
	"math"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/rawjson"
	"example.com/gatehouse/internal/auditlog/recent"
)

// The bounds of what is kept: the bytes of the objects, and the deleted collections.
const (
	maxStored  = 64 << 20
	maxDeleted = 10000
)

// stored are the stored objects according to the log.
type stored struct {
	objects *recent.Map[objectKey, body]
	size    int
	// deleted counts the deletions of collections: it is not known what is left of the
	// objects before. The keys have no name, and no namespace for all namespaces.
	deleted map[objectKey]int
}

type objectKey struct{ resource, namespace, name string }

// body is an object. deleted is the number of deletions of its collection before it was
// stored.
type body struct {
	object  json.RawMessage
	deleted int
}

func newStored() *stored {
	return &stored{recent.New[objectKey, body](math.MaxInt), 0, map[objectKey]int{}}
}

// keyOf identifies the object of an event, whose subresources are parts of it.
func keyOf(e *auditlog.Event) objectKey {
	k := objectKey{groupResource(e).String(), e.Ref.Namespace, e.Name()}
	if isNamespace(e) {
		k.namespace = k.name
	}
	return k
}

func groupResource(e *auditlog.Event) schema.GroupResource {
	return schema.GroupResource{Group: e.Ref.APIGroup, Resource: e.Ref.Resource}
}

// namespaces is the resource whose objects are in the namespace that they are.
var namespaces = schema.GroupResource{Resource: "namespaces"}

func isNamespace(e *auditlog.Event) bool { return groupResource(e) == namespaces }

// get returns the stored object of an event; nil if it is not known.
func (s *stored) get(k objectKey) json.RawMessage {
	b := s.objects.Get(k)
	if b == nil || b.deleted != s.deletions(k) {
		return nil
	}
	return b.object
}

// deletions returns how often the collection of an object was deleted.
func (s *stored) deletions(k objectKey) int {
	all := s.deleted[objectKey{resource: k.resource}]
	if k.namespace != "" {
		all += s.deleted[objectKey{k.resource, k.namespace, ""}]
	}
	return all
}

// labels returns the labels of a namespace; nil if they are not known.
func (s *stored) labels(namespace string) map[string]string {
	object := s.get(objectKey{namespaces.String(), namespace, namespace})
	if object == nil {
		return nil
	}
	labels := map[string]string{}
	if text := rawjson.Lookup(object, "metadata", "labels"); text != nil &&
		json.Unmarshal(text, &labels) != nil {
		return nil
	}
	return labels
}

// add notes what is stored after a request.
func (s *stored) add(e *auditlog.Event) {
	const mayBeStored = 500 // the object may be stored in spite of such a failure
	switch {
	case !e.Mutates(), e.DryRun(), e.Failed() && e.Code < mayBeStored:
	case e.Verb == "deletecollection":
		if len(s.deleted) >= maxDeleted {
			*s = *newStored()
		}
		s.deleted[objectKey{groupResource(e).String(), e.Ref.Namespace, ""}]++
	default:
		s.set(keyOf(e), answered(e))
	}
}

// answered returns the object in the answer of a request; nil if there is none, or it is
// another one, such as a Scale.
func answered(e *auditlog.Event) json.RawMessage {
	object := e.ResponseObject
	kind := auditlog.KindOf(object)
	version := schema.GroupVersion{Group: e.Ref.APIGroup, Version: e.Ref.APIVersion}
	switch {
	case e.Failed(), kind.GroupVersion() != version, kind.Kind == "Status",
		isConfidential(e, kind.Kind):
		return nil
	case e.Verb == "delete" && rawjson.Lookup(object, "metadata", "deletionTimestamp") == nil:
		return nil
	}
	return object
}

// set keeps an object; nil removes it.
func (s *stored) set(k objectKey, object json.RawMessage) {
	if b := s.objects.Get(k); b != nil {
		s.size -= len(b.object)
		s.objects.Delete(k)
	}
	if object == nil {
		return
	}
	*s.objects.Add(k) = body{object, s.deletions(k)}
	for s.size += len(object); s.size > maxStored; {
		s.size -= len(s.objects.Drop().object)
	}
}
