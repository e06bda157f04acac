package explain

import (
	"encoding/json"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// Response explains a response: why each webhook was called or not, what its
// call did, and which of them wrote each field. Fields and HTTP exchanges need
// traced calls (dispatcher.Config.Trace). The data of Secrets is redacted
// unless an option disables that. Response never fails: Explanation.Problems
// lists what could not be explained.
//
// In a test:
//
//	if !response.Allowed {
//		t.Errorf("the pod was denied:\n%s", explain.Response(response))
//	}
func Response(r *admission.Response, options ...Option) *Explanation {
	b := builder{response: r}
	b.Allowed, b.Status = r.Allowed, r.Status.DeepCopy()
	b.Warnings, b.Seconds = r.Warnings, r.Elapsed.Seconds()
	if r.Request != nil {
		b.request(r.Request)
		b.Object = b.document("the object", r.Object, r.Request.Kind)
	}
	b.rounds()
	for _, a := range r.AuditAnnotations {
		b.AuditAnnotations = append(b.AuditAnnotations,
			Annotation{Key: a.Key, Value: a.Value, Level: string(a.Level)})
	}
	states := b.states()
	Complete(&b.Explanation, states, options...)
	return &b.Explanation
}

// builder builds an Explanation from a response.
type builder struct {
	Explanation
	response *admission.Response
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
	if object.GetObjectKind().GroupVersionKind().Empty() && !kind.Empty() {
		object = object.DeepCopyObject()
		object.GetObjectKind().SetGroupVersionKind(kind)
	}
	text, err := json.Marshal(object)
	if err != nil {
		b.Problems = append(b.Problems, fmt.Sprintf("%s cannot be shown: %v", what, err))
		return nil
	}
	return text
}

// states returns the states of the object: as stored, as sent, before and after
// each patch, and the final one. There are none unless all calls were traced.
func (b *builder) states() []State {
	r := b.response
	if r.Request == nil || b.Object == nil ||
		slices.ContainsFunc(r.Calls, func(c admission.Call) bool { return c.Trace == nil }) {
		return nil
	}
	var states []State
	add := func(object json.RawMessage, kind schema.GroupVersionKind, by Writer) {
		if object != nil {
			states = append(states, State{Kind: kind, Object: object, By: by})
		}
	}
	add(b.Request.OldObject, r.Request.Kind, Writer{By: ByStored})
	add(b.Request.Object, r.Request.Kind, Writer{By: ByUser})
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Trace == nil || c.Trace.Before == nil {
			continue
		}
		before := Writer{By: ByServer}
		if states[len(states)-1].Kind != c.Target.Kind {
			before.By = ByConversion
		}
		add(c.Trace.Before, c.Target.Kind, before)
		by := Writer{By: ByWebhook, Webhook: c.Webhook.Name, Configuration: c.Webhook.Configuration,
			Round: c.Round, Index: c.Index}
		add(c.Trace.Patched, c.Target.Kind, by)
		by.By = ByDefaulting
		add(c.Trace.After, c.Target.Kind, by)
	}
	if r.Allowed ||
		slices.ContainsFunc(b.Rounds, func(r Round) bool { return r.Phase == validating }) {
		add(b.Object, r.Request.Kind, Writer{By: ByServer})
		return states
	}
	// The object of a denied request is the one that was sent. Show the last
	// state in its kind.
	for len(states) > 1 && states[len(states)-1].Kind != r.Request.Kind {
		states = states[:len(states)-1]
	}
	b.Object = states[len(states)-1].Object
	return states
}
