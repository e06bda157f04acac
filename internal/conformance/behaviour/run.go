package behaviour

import (
	"context"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
)

// run admits a request through webhooks. It returns nil if the request was
// denied, a call failed, or ctx ended.
func run(
	ctx context.Context, c *probe.Collection, r *admission.Request, v probe.Variant,
) *admission.Response {
	response, err := c.Run(ctx, r, v)
	if err != nil || !response.Allowed {
		return nil
	}
	return response
}

// calledOnce is a variant in which every webhook is called once, in this order.
func calledOnce(webhooks ...*probe.Webhook) probe.Variant {
	return probe.Variant{Webhooks: webhooks, Reinvocation: registrationv1.NeverReinvocationPolicy}
}

// resubmitted returns the request with another object, as a client would send
// it: without a name that the server generated.
func resubmitted(r *admission.Request, object runtime.Object) *admission.Request {
	copied := *r
	copied.Object = object
	was, err := meta.Accessor(r.Object)
	if err != nil || was.GetName() != "" || was.GetGenerateName() == "" {
		return &copied
	}
	copied.Object = object.DeepCopyObject()
	if is, err := meta.Accessor(copied.Object); err == nil {
		is.SetName("")
	}
	return &copied
}

// names joins the names of webhooks.
func names(webhooks []*probe.Webhook) string {
	all := make([]string, len(webhooks))
	for i, w := range webhooks {
		all[i] = w.FullName()
	}
	return strings.Join(all, ", ")
}
