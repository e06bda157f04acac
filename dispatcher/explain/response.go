package explain

import (
	"cmp"
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// Response explains a response: why each webhook was called or not, the effect
// of its call, and which of them wrote each field. Fields and HTTP exchanges
// need traced calls (dispatcher.Config.Trace). The data of Secrets is redacted
// unless an option disables that.
//
// Response never fails. If the records of a response are incomplete, as those
// of an observer may be, Response explains the parts that they cover.
// Explanation.Problems lists the others.
//
// In a test:
//
//	if !response.Allowed {
//		t.Errorf("the pod was denied:\n%s", explain.Response(response))
//	}
func Response(r *admission.Response, options ...Option) *Explanation {
	b := builder{response: r, options: newOptions(options)}
	b.Undecided = b.options.notReached != nil && Undecided(r, b.options.notReached)
	b.Allowed, b.Status, b.DeniedBy = r.Allowed, r.Status.DeepCopy(), Denier(r)
	b.Warnings, b.Seconds = r.Warnings, r.Elapsed.Seconds()
	if r.Request != nil {
		b.request(r.Request)
		b.Object = b.document("the object", r.Object, r.Request.Kind)
	} else {
		b.addProblem("the request is missing, and with it its object and user")
		b.Object = b.document("the object", r.Object, schema.GroupVersionKind{})
	}
	b.policies()
	b.rounds()
	for _, a := range r.AuditAnnotations {
		b.AuditAnnotations = append(b.AuditAnnotations,
			Annotation{Key: a.Key, Value: a.Value, Level: string(a.Level)})
	}
	states := b.listStates()
	Complete(&b.Explanation, states, append(slices.Clone(options), encodedAs(b.sample()))...)
	return &b.Explanation
}

// sample returns an object of the request's type, nil if there is none.
func (b *builder) sample() runtime.Object {
	if b.response.Request == nil {
		return b.response.Object
	}
	return cmp.Or(b.response.Object, b.response.Request.Object, b.response.Request.OldObject)
}

// builder builds an Explanation from a response.
type builder struct {
	Explanation
	response *admission.Response
	options  *options
}

func (b *builder) request(r *admission.Request) {
	b.Request = Request{
		Operation:   string(r.Operation),
		Kind:        metav1.GroupVersionKind(r.Kind),
		Resource:    metav1.GroupVersionResource(r.Resource),
		Subresource: r.Subresource,
		Namespace:   r.Namespace,
		Name:        r.Name,
		DryRun:      r.DryRun,
		Object:      b.document("the request's object", r.Object, r.Kind),
		OldObject:   b.document("the stored object", r.OldObject, r.Kind),
		Options:     b.document("the request's options", r.Options, schema.GroupVersionKind{}),
	}
	if r.User != nil {
		b.Request.User = User{Name: r.User.Username, Groups: r.User.Groups}
	}
}

// document returns the JSON of an object. It sets the kind of an object without
// one.
func (b *builder) document(
	what string, object runtime.Object, kind schema.GroupVersionKind,
) json.RawMessage {
	if object == nil {
		return nil
	}
	var text json.RawMessage
	err := guard.Call(func() (err error) { // the object may be of a type of the host
		if object.GetObjectKind().GroupVersionKind().Empty() && !kind.Empty() {
			object = object.DeepCopyObject()
			object.GetObjectKind().SetGroupVersionKind(kind)
		}
		text, err = json.Marshal(object)
		return err
	})
	if err != nil {
		b.addProblem("%s cannot be shown: %v", what, err)
		return nil
	}
	return text
}
