package requests

import (
	"bytes"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// The sizes of a response, a call and a match without what compact counts, in
// bytes. They are a little more than what 64-bit systems need.
const (
	responseSize = 2 << 10
	callSize     = 2 << 10
	matchSize    = 512
	labelSize    = 64
	// of an evaluation of a policy, and of each of its expressions, decisions,
	// annotations and mutations
	evaluationSize = 512
	partSize       = 128
)

// compact replaces the objects and reviews of a response by its own bytes, and
// returns the memory that the response needs. Without that, the memory would be
// unknown: Go structs do not report their size, and reviews share their parts
// with the engine.
func compact(r *admission.Response) int {
	size := responseSize + callSize*cap(r.Calls) + matchSize*cap(r.Matches)
	if r.Request != nil {
		size += encode(&r.Request.Object) + encode(&r.Request.OldObject)
	}
	size += encode(&r.Object)
	if r.Status != nil {
		size += 2 * len(r.Status.Message) // the Item has another one
	}
	for i := range r.Matches {
		size += labelsSize(r.Matches[i].Seen)
	}
	for i := range r.Policies {
		size += compactPolicy(&r.Policies[i])
	}
	bodies := 0
	for i := range r.Calls {
		size += remarksSize(&r.Calls[i])
		if shared := r.Calls[i].Trace; shared != nil {
			t := new(*shared) // another recorder may have it, too
			r.Calls[i].Trace = t
			bodies += ownReview(t, maxBodies-bodies)
			size += cap(t.Response) + cap(t.Before) + cap(t.Patched) + cap(t.After)
		}
	}
	return size + bodies
}

// compactPolicy replaces the objects of a policy's mutations, and returns the
// memory that the record of the policy needs. Another recorder may have its
// evaluations, too.
func compactPolicy(p *admission.PolicyRecord) int {
	size := matchSize + labelsSize(p.Match.Seen)
	for i := range p.Bindings {
		b := &p.Bindings[i]
		size += matchSize + labelsSize(b.Match.Seen)
		b.Evaluations = slices.Clone(b.Evaluations)
		for j, shared := range b.Evaluations {
			e := new(*shared)
			b.Evaluations[j] = e
			size += compactEvaluation(e, p.Match.Target.Kind)
		}
	}
	return size
}

func compactEvaluation(e *admission.PolicyEvaluation, kind schema.GroupVersionKind) int {
	parts := cap(e.Expressions) + cap(e.Decisions) + cap(e.Annotations) + cap(e.Mutations)
	size := evaluationSize + partSize*parts
	for i := range e.Expressions {
		size += len(e.Expressions[i].Value)
	}
	for i := range e.Decisions {
		size += len(e.Decisions[i].Message)
	}
	for i := range e.Annotations {
		size += len(e.Annotations[i].Value)
	}
	e.Mutations = slices.Clone(e.Mutations)
	for i := range e.Mutations {
		for _, object := range []*runtime.Object{&e.Mutations[i].Before, &e.Mutations[i].After} {
			size += encodeAs(object, kind)
		}
	}
	return size
}

// encodeAs is encode for an object of a kind that the object itself may not have.
func encodeAs(object *runtime.Object, kind schema.GroupVersionKind) int {
	if *object != nil && (*object).GetObjectKind().GroupVersionKind().Empty() {
		*object = (*object).DeepCopyObject()
		(*object).GetObjectKind().SetGroupVersionKind(kind)
	}
	return encode(object)
}

// encode replaces an object by its JSON and returns its size. What has no JSON
// is nil afterwards; its explanation lacks it.
func encode(object *runtime.Object) int {
	if *object == nil {
		return 0
	}
	kind := (*object).GetObjectKind().GroupVersionKind()
	text, err := json.Marshal(*object)
	if err != nil {
		*object = nil
		return 0
	}
	raw := &runtime.Unknown{Raw: text, ContentType: runtime.ContentTypeJSON}
	raw.SetGroupVersionKind(kind)
	*object = raw
	return cap(text)
}

// ownReview replaces the review of a call by a copy and returns its size. It
// drops a review of more than limit bytes.
func ownReview(t *admission.Trace, limit int) int {
	if t.Request == nil {
		return 0
	}
	review := t.Request()
	if len(review) > limit {
		t.Request = nil
		return 0
	}
	t.Request = func() []byte { return bytes.Clone(review) }
	return cap(review)
}

func labelsSize(s *admission.Seen) int {
	if s == nil {
		return 0
	}
	size := 0
	for _, labels := range []map[string]string{s.NamespaceLabels, s.ObjectLabels, s.OldObjectLabels} {
		size += mapSize(labels)
	}
	return size
}

func remarksSize(c *admission.Call) int {
	size := len(c.Patch) + mapSize(c.AuditAnnotations)
	for _, text := range c.Warnings {
		size += len(text)
	}
	return size
}

func mapSize(m map[string]string) int {
	size := 0
	for key, value := range m {
		size += labelSize + len(key) + len(value)
	}
	return size
}
