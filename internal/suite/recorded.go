package suite

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

// Recorded returns the request of a case as a response with the verdict that the
// case expects, for an entry of a corpus. The message of a denial is missing: a
// case has an expression for it.
func (s *Suite) Recorded(c *Case) *admission.Response {
	e := &c.from.Expect
	r := &admission.Response{Request: c.request}
	denied := e.Code != nil || e.Reason != nil || e.Message != nil
	if r.Allowed = !denied; e.Allowed != nil {
		r.Allowed = *e.Allowed
	}
	if !r.Allowed {
		r.Status = &metav1.Status{Status: metav1.StatusFailure}
		if e.Code != nil {
			r.Status.Code = *e.Code
		}
		if e.Reason != nil {
			r.Status.Reason = *e.Reason
		}
	}
	for _, namespace := range s.in.Namespaces {
		if namespace.Name == c.request.Namespace {
			r.NamespaceLabels = namespace.Labels
		}
	}
	return r
}
