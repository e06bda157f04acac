package admission

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/explain"
)

// Explain returns why the request fared as it did: for every webhook why it was or was
// not called and what it did, and who wrote which field. The latter, and what went over
// the wire, take calls that were traced (dispatcher.Config.Trace). The data of Secrets
// is not in it, unless an option says so. It never fails; what cannot be explained says
// so in its place.
//
// In a test:
//
//	if !response.Allowed {
//		t.Errorf("the pod was denied:\n%s", response.Explain())
//	}
func (r *Response) Explain(options ...explain.Option) *explain.Explanation {
	x := explainer{response: r}
	x.Allowed, x.Status, x.Warnings, x.Seconds = r.Allowed, r.Status.DeepCopy(), r.Warnings, r.Elapsed.Seconds()
	if r.Request != nil {
		x.request(r.Request)
		x.Object = x.document("the object", r.Object, r.Request.Kind)
	}
	x.rounds()
	for _, a := range r.AuditAnnotations {
		x.AuditAnnotations = append(x.AuditAnnotations, explain.Annotation{Key: a.Key, Value: a.Value, Level: string(a.Level)})
	}
	states := x.states()
	explain.Complete(&x.Explanation, states, options...)
	return &x.Explanation
}

// explainer is an Explanation in the making.
type explainer struct {
	explain.Explanation
	response *Response
}

func (x *explainer) request(r *Request) {
	x.Request = explain.Request{
		Operation:   string(r.Operation),
		Kind:        metav1.GroupVersionKind(r.Kind),
		Resource:    metav1.GroupVersionResource(r.Resource),
		Subresource: r.Subresource,
		Namespace:   r.Namespace,
		Name:        r.Name,
		DryRun:      r.DryRun,
		Object:      x.document("the request's object", r.Object, r.Kind),
		OldObject:   x.document("the stored object", r.OldObject, r.Kind),
		Options:     x.document("the request's options", r.Options, schema.GroupVersionKind{}),
	}
	if r.User != nil {
		x.Request.User = explain.User{Name: r.User.Username, Groups: r.User.Groups}
	}
}

// document returns the JSON of an object, with its kind if it has lost that.
func (x *explainer) document(what string, object runtime.Object, kind schema.GroupVersionKind) json.RawMessage {
	if object == nil {
		return nil
	}
	if object.GetObjectKind().GroupVersionKind().Empty() && !kind.Empty() {
		object = object.DeepCopyObject()
		object.GetObjectKind().SetGroupVersionKind(kind)
	}
	text, err := json.Marshal(object)
	if err != nil {
		x.Problems = append(x.Problems, fmt.Sprintf("%s cannot be shown: %v", what, err))
		return nil
	}
	return text
}

// states are the object on its way: as it is stored, as it was sent, before and after
// each patch, and in the end. There are none if nobody watched what patches did.
func (x *explainer) states() []explain.State {
	r := x.response
	if r.Request == nil || x.Object == nil || !r.traced() {
		return nil
	}
	var states []explain.State
	add := func(object json.RawMessage, kind schema.GroupVersionKind, by explain.Writer) {
		if object != nil {
			states = append(states, explain.State{Kind: kind, Object: object, By: by})
		}
	}
	add(x.Request.OldObject, r.Request.Kind, explain.Writer{By: explain.ByStored})
	add(x.Request.Object, r.Request.Kind, explain.Writer{By: explain.ByUser})
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Trace == nil || c.Trace.Before == nil {
			continue
		}
		before := explain.Writer{By: explain.ByServer}
		if states[len(states)-1].Kind != c.Target.Kind {
			before.By = explain.ByConversion
		}
		add(c.Trace.Before, c.Target.Kind, before)
		by := explain.Writer{By: explain.ByWebhook, Webhook: c.Webhook.Name, Configuration: c.Webhook.Configuration, Round: c.Round, Index: c.Index}
		add(c.Trace.Patched, c.Target.Kind, by)
		by.By = explain.ByDefaulting
		add(c.Trace.After, c.Target.Kind, by)
	}
	if last := states[len(states)-1]; !r.Allowed && !x.reached(Validating) {
		// A refused request has its object as it was. What is of interest is how far it
		// had come.
		if last.Kind == r.Request.Kind {
			x.Object = last.Object
		}
		return states
	}
	add(x.Object, r.Request.Kind, explain.Writer{By: explain.ByServer})
	return states
}

// reached reports whether it came to a phase.
func (x *explainer) reached(phase Phase) bool {
	for i := range x.Rounds {
		if x.Rounds[i].Phase == phase.String() {
			return true
		}
	}
	return false
}

// traced reports whether all calls that were made left a trace.
func (r *Response) traced() bool {
	for i := range r.Calls {
		if r.Calls[i].Trace == nil {
			return false
		}
	}
	return true
}
