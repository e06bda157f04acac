package protocol

import (
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// nulls are the checks of reviews in which something is null.
func nulls() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-NULL-OBJECT", Level: report.Must,
			Title: "answers a DELETE, whose object is null",
			Why:   "What is deleted is in oldObject; object is null. A webhook that has no answer to that refuses all deletions, also those of the garbage collector and of a namespace that ends, or it is passed over, as failurePolicy says.",
			Fix:   "Look at request.oldObject if request.operation is DELETE, and decode request.object only if it is there.",
		}, tolerates(admissionv1.Delete, probe.NullObject, "the answer is missing because object is null: there is one if it is not")),
		each(report.Check{
			ID: "C-NULL-OLD-OBJECT", Level: report.Must,
			Title: "answers a CREATE, whose oldObject is null",
			Why:   "What is created has no predecessor; oldObject is null. A webhook that has no answer to that refuses all new objects, or it is passed over, as failurePolicy says.",
			Fix:   "Decode request.oldObject only if request.operation is UPDATE or DELETE.",
		}, tolerates(admissionv1.Create, probe.NullOldObject, "the answer is missing because oldObject is null: there is one if it is not")),
		each(report.Check{
			ID: "C-NULL-OPTIONS", Level: report.Must,
			Title: "answers a CONNECT, whose options are null",
			Why:   "Requests such as pods/exec have no options of the operation; options is null. A webhook that has no answer to that refuses all of them, or it is passed over, as failurePolicy says.",
			Fix:   "Decode request.options only if they are there. What a user wants to run in a pod is in request.object, a PodExecOptions.",
		}, tolerates(admissionv1.Connect, probe.NullOptions, "the answer is missing because options is null: there is one if it is not")),
	}
}

// tolerates looks at the requests of an operation for what a null was the cause of.
func tolerates(operation admissionv1.Operation, cause probe.Cause, message string) func(*probe.Webhook, *check.Record) {
	return func(w *probe.Webhook, r *check.Record) {
		for _, x := range w.Exchanges {
			switch {
			case x.Review.Operation() != string(operation):
			case x.Answer != nil:
				r.Saw()
			case x.Cause == cause:
				r.Fail(x, "%s", message)
			}
		}
		r.Lacks("the webhook answered no sample that is a %s", operation)
	}
}
