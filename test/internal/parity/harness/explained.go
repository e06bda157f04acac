package harness

import (
	"context"
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// observer records matches and calls in the run.
type observer struct{}

// RecordMatch implements dispatcher.Recorder.
func (observer) RecordMatch(ctx context.Context, m *admission.Match) {
	x := runOf(ctx)
	x.matches = append(x.matches, *m)
}

// RecordCall implements dispatcher.Recorder.
func (observer) RecordCall(ctx context.Context, c *admission.Call) {
	x := runOf(ctx)
	x.calls = append(x.calls, *c)
}

// asked is the request before the host's object is changed.
func (r *Request) asked() *admission.Request {
	asked := &admission.Request{
		Operation: admissionv1.Operation(
			r.Operation,
		),
		Kind:        schema.GroupVersionKind(r.Kind),
		Resource:    schema.GroupVersionResource(r.Resource),
		Subresource: r.Subresource,
		Name:        r.Name,
		Namespace:   r.Namespace,
		DryRun:      r.DryRun,
	}
	if r.object != nil {
		asked.Object = r.object.DeepCopyObject()
	}
	if r.oldObject != nil {
		asked.OldObject = r.oldObject.DeepCopyObject()
	}
	return asked
}

// explain has the request explained from what was observed, and reads the uids
// of the reviews that webhooks got.
func (x *run) explain(o *Observation) {
	response := admission.Response{
		Request: x.asked, Allowed: !o.denied(), Object: x.request.object,
		Matches: x.matches, Calls: x.calls,
	}
	o.explanation = explain.Response(&response)
	for _, r := range x.requests() {
		var review struct{ Request struct{ UID string } }
		if json.Unmarshal(r.Body, &review) == nil {
			o.received = append(o.received, review.Request.UID)
		}
	}
}
