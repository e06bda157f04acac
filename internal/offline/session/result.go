package session

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/reach"
)

// Result is the result of one request.
type Result struct {
	// Request is the request. The Session owns it; it must not be changed.
	Request *admission.Request
	// Response is the response, also of a denied request.
	Response *admission.Response

	// injected has the webhooks that fault servers replace; nil without
	// --inject.
	injected *injected
	// access distinguishes webhooks that were not reached.
	access reach.Access
	// written is the object without defaults; nil if the request has it.
	written runtime.Object
	// labels returns those of the request's namespace.
	labels func() (map[string]string, error)
	// metrics are the series that have changed; nil unless metrics are counted.
	metrics []explain.Metric
}

// Fault returns the name of the fault that answered in place of a webhook, or
// "".
func (v *Result) Fault(w *admission.Webhook) string { return v.faultOf(NameOf(w)) }

func (v *Result) faultOf(h WebhookName) string {
	if v.injected == nil {
		return ""
	}
	return v.injected.faultFor(h)
}

// Outcome returns the name of a call's outcome: that of admission.Outcome, or
// explain.OutcomeNotReached.
func (v *Result) Outcome(c *admission.Call) string { return v.access.Outcome(c) }

// NotReached reports whether a call was not attempted because the command may
// not connect to the webhook.
func (v *Result) NotReached(c *admission.Call) bool { return v.access.NotReached(c) }

// Undecided reports whether the verdict is not known, because it depends on a
// webhook that was not reached; see explain.Undecided.
func (v *Result) Undecided() bool {
	return explain.Undecided(v.Response, v.access.Dialer.NotReached)
}

// Hint returns the likely cause of a failed call and the remedy; "" if there is
// none, or if a fault answered.
func (v *Result) Hint(c *admission.Call) string {
	if c.Err == nil || v.Fault(c.Webhook) != "" {
		return ""
	}
	return v.access.Hint(c)
}

// Explain returns the explanation of the response with the injected faults;
// with Options.Trace also with the writers of fields and the metrics that
// changed. See explain.Response.
func (v *Result) Explain(options ...explain.Option) *explain.Explanation {
	own := append(v.access.Options(), explain.Metrics(v.metrics),
		explain.Faults(
			func(configuration, name string) string { return v.faultOf(WebhookName{configuration, name}) }))
	if v.written != nil {
		// explain.Response reports an object that cannot be encoded.
		if text, err := json.Marshal(v.written); err == nil {
			own = append(own, explain.Sent(text))
		}
	}
	return explain.Response(v.Response, append(own, options...)...)
}

// Entry returns the entry of the response in a corpus. With Options.Bodies or
// Options.Trace it has the answers of the webhooks. Calls that were not attempted
// have none.
func (v *Result) Entry(o corpus.Options) (*corpus.Entry, error) {
	o.NotReached = v.access.Dialer.NotReached
	if v.Request.Namespace != "" {
		// A namespace that does not exist has none.
		v.Response.NamespaceLabels, _ = v.labels()
	}
	return corpus.FromResponse(v.Response, o)
}

// Reference names the object as kubectl does, with its namespace and
// subresource: "pods/web in shop", "pods/web/exec in shop".
func (v *Result) Reference() string {
	r := v.Request
	text := r.Resource.GroupResource().String() + "/" + v.Name()
	if r.Subresource != "" {
		text += "/" + r.Subresource
	}
	// A request about a namespace is in that namespace (S-365).
	if r.Namespace != "" && r.Resource.GroupResource() != corev1.Resource("namespaces") {
		text += " in " + r.Namespace
	}
	return text
}

// Name returns the name of the object, or else its generateName.
func (v *Result) Name() string {
	r := v.Request
	object := r.Object
	if object == nil {
		object = r.OldObject // a member of a collection, whose request has no name
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
