package protocol

import (
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// tolerates returns a check that a null does not prevent an answer.
func tolerates(
	operation admissionv1.Operation, cause probe.Cause, message string,
) func(*probe.Webhook, *check.Record) {
	return func(w *probe.Webhook, r *check.Record) {
		for _, x := range w.Exchanges {
			switch {
			case x.Review.Operation() != string(operation):
			case x.Answer != nil:
				r.Checked()
			case x.Cause == cause:
				r.Fail(x, "%s", message)
			}
		}
		r.Missing("the webhook answered no sample that is a %s", operation)
	}
}
