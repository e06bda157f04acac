package explain

import (
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Denier names the part of an API server that denied a request if no webhook
// did: a policy with its kind, "the schema of the CustomResourceDefinition
// NAME", "the API server's validation of metadata", or "the API server". It is
// empty if the request was admitted, if a webhook denied it or could not be
// called, and if the part is unknown.
func Denier(r *admission.Response) string {
	if r.Status == nil || r.Request == nil ||
		slices.ContainsFunc(r.Matches, func(m admission.Match) bool { return m.Err != nil }) ||
		slices.ContainsFunc(r.Calls, func(c admission.Call) bool { return c.Rejects() }) {
		return ""
	}
	if by := denyingPolicy(r); by != "" {
		return by
	}
	_, custom := r.Request.Object.(runtime.Unstructured)
	switch {
	case r.Status.Reason == metav1.StatusReasonBadRequest:
		return "the API server"
	case r.Status.Reason != metav1.StatusReasonInvalid:
		return ""
	case custom && !onlyMetadata(r.Status.Details):
		return "the schema of the CustomResourceDefinition " +
			r.Request.Resource.GroupResource().String()
	default:
		return "the API server's validation of metadata"
	}
}

// denyingPolicy names the policy that denied the request; "" if none did. The
// text of the error names it.
func denyingPolicy(r *admission.Response) string {
	for i := range r.Policies {
		p := &r.Policies[i]
		for _, quoted := range []string{"'" + p.Name + "'", strconv.Quote(p.Name)} {
			if strings.Contains(r.Status.Message, "olicy "+quoted+" ") {
				return p.Kind() + " " + p.Name
			}
		}
	}
	return ""
}

// onlyMetadata reports whether all causes are about metadata.
func onlyMetadata(d *metav1.StatusDetails) bool {
	return d != nil && !slices.ContainsFunc(d.Causes, func(c metav1.StatusCause) bool {
		return !strings.HasPrefix(c.Field, "metadata.")
	})
}
