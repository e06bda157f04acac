package world

import (
	"context"
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// records are an observer's.
type records struct {
	matches []admission.Match
	calls   []admission.Call
}

// RecordMatch implements dispatcher.Recorder.
func (r *records) RecordMatch(_ context.Context, m *admission.Match) {
	r.matches = append(r.matches, *m)
}

// RecordCall implements dispatcher.Recorder.
func (r *records) RecordCall(_ context.Context, c *admission.Call) {
	r.calls = append(r.calls, *c)
}

// forget makes room for the next request. The plugins have got r, so it stays.
func (r *records) forget() *records {
	if r != nil {
		*r = records{}
	}
	return r
}

// asked is the request as its author made it, before the host's object is changed.
func (r *Request) asked() *admission.Request {
	asked := &admission.Request{
		Operation: admissionv1.Operation(r.Operation), Kind: schema.GroupVersionKind(r.Kind), Resource: schema.GroupVersionResource(r.Resource),
		Subresource: r.Subresource, Name: r.Name, Namespace: r.Namespace, DryRun: r.DryRun,
	}
	if r.object != nil {
		asked.Object = r.object.DeepCopyObject()
	}
	if r.oldObject != nil {
		asked.OldObject = r.oldObject.DeepCopyObject()
	}
	return asked
}

// explain has the request explained from what was observed, and reads the uids of the
// reviews that webhooks got.
func (x *run) explain(o *Observation) {
	if x.host.records == nil {
		return
	}
	response := admission.Response{
		Request: x.asked, Allowed: !o.denied(), Object: x.request.object,
		Matches: x.host.records.matches, Calls: x.host.records.calls,
	}
	o.explanation = response.Explain()
	for _, r := range x.server.Requests() {
		var review struct{ Request struct{ UID string } }
		if json.Unmarshal(r.Body, &review) == nil {
			o.received = append(o.received, review.Request.UID)
		}
	}
}
