package session

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// Visit is one object's way through the webhooks.
type Visit struct {
	// Request is what was asked. It is the Session's, and not to be changed.
	Request *admission.Request
	// Response is what came of it, a denial as well. Nil if nothing did, which nobody
	// is shown.
	Response *admission.Response

	// injected knows whose calls went to a fault server; nil for nobody's.
	injected *injected
	// written is the object as its author wrote it; nil if that is the request's.
	written runtime.Object
	// metrics are the series that have changed; nil if nobody counted.
	metrics []explain.Metric
}

// Fault returns the name of the fault that answered in place of a webhook, or "".
func (v *Visit) Fault(w *admission.Webhook) string { return v.faultOf(HookOf(w)) }

func (v *Visit) faultOf(h Hook) string {
	if v.injected == nil {
		return ""
	}
	return v.injected.in(h)
}

// Explain says why the object fared as it did: which faults answered, and with
// Options.Trace also who wrote which field and which metrics changed. See
// explain.Response.
func (v *Visit) Explain(options ...explain.Option) *explain.Explanation {
	own := []explain.Option{
		explain.Metrics(v.metrics),
		explain.Faults(func(configuration, name string) string { return v.faultOf(Hook{configuration, name}) }),
	}
	if v.written != nil {
		// That it cannot be shown is said of the request's object, if it is so.
		if text, err := json.Marshal(v.written); err == nil {
			own = append(own, explain.Sent(text))
		}
	}
	return explain.Response(v.Response, append(own, options...)...)
}

// Reference names the object as kubectl does, with its namespace: "pods/web in
// shop". A subresource stands where the API's paths have it, as in "pods/web/exec in
// shop".
func (v *Visit) Reference() string {
	r := v.Request
	text := r.Resource.GroupResource().String() + "/" + v.Name()
	if r.Subresource != "" {
		text += "/" + r.Subresource
	}
	// Requests about a namespace are in it (S-365), which says nothing new.
	if r.Namespace != "" && r.Resource.GroupResource() != corev1.Resource("namespaces") {
		text += " in " + r.Namespace
	}
	return text
}

// Name returns the name that the object has or was given, or else the beginning that
// it was to be generated from. It is empty if there is neither.
func (v *Visit) Name() string {
	r := v.Request
	object := r.Object
	if object == nil {
		object = r.OldObject // the member of a collection, which webhooks are not told the name of
	}
	if v.Response != nil && v.Response.Object != nil {
		object = v.Response.Object
	}
	if r.Name != "" || object == nil {
		return r.Name
	}
	m, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	if m.GetName() != "" {
		return m.GetName()
	}
	return m.GetGenerateName()
}
