package protocol

import (
	"cmp"
	"slices"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// fields are the checks of what makes an answer one to this review.
func fields() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-UID", Level: report.Must,
			Title: "echoes the uid",
			Why:   "In v1, kube-apiserver takes an answer with another uid for no answer: the call has failed, and failurePolicy decides.",
			Fix:   "Copy request.uid to response.uid. Keep it in a variable of the request, not in one that requests share.",
		}, echoesUID),
		each(report.Check{
			ID: "C-API-VERSION", Level: report.Must,
			Title: "answers in the version of the review",
			Why:   "kube-apiserver decodes an answer to a v1 review as admission.k8s.io/v1 and one to a v1beta1 review as v1beta1. Another version or kind, and in v1 also none, is a failed call, and failurePolicy decides.",
			Fix:   "Copy apiVersion and kind of the review to the answer, instead of writing those that are current.",
		}, echoesVersion),
		each(report.Check{
			ID: "C-VERSIONS", Level: report.Must,
			Title: "answers every version of AdmissionReview that it lists",
			Why:   "kube-apiserver sends the first of admissionReviewVersions that it knows. If that one is not answered, every call fails; if it is another one, calls fail as soon as the list is put in another order, or at a server that does not know the first.",
			Fix:   "Decode the versions that admissionReviewVersions lists, or take out of the list those that the webhook does not know.",
		}, answersVersions),
		each(report.Check{
			ID: "C-ALLOWED", Level: report.Must,
			Title: "says whether the request is allowed",
			Why:   "An answer without response.allowed, or with null for it, is a no: the request is refused, whatever failurePolicy says. With any value but true, false and null the call has failed, and failurePolicy decides.",
			Fix:   "Set response.allowed to true or false in every answer. In a type of your own, leave out omitempty.",
		}, saysAllowed),
	}
}

func echoesUID(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		if x.Review.Version() != probe.V1 {
			continue
		}
		r.Saw()
		if x.Answer.UID != x.Review.UID() {
			r.Fail(x, "the answer has the uid %q, not %q", x.Answer.UID, x.Review.UID())
		}
	}
	r.Lacks("the webhook answered no review of v1, and nobody compares the uid in v1beta1")
}

func echoesVersion(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		r.Saw()
		version, kind := x.Answer.APIVersion, x.Answer.Kind
		if x.Review.Version() == probe.V1beta1 {
			// What is not there is taken for what was asked for.
			version, kind = cmp.Or(version, x.Review.Version()), cmp.Or(kind, x.Review.Kind())
		}
		if version != x.Review.Version() || kind != x.Review.Kind() {
			r.Fail(x, "the answer has apiVersion %q and kind %q, not %q and %q",
				x.Answer.APIVersion, x.Answer.Kind, x.Review.Version(), x.Review.Kind())
		}
	}
	r.Lacks(nothingRead)
}

func answersVersions(w *probe.Webhook, r *check.Record) {
	var seen []string
	for _, x := range w.Exchanges {
		version := x.Review.Version()
		switch {
		case x.Answer != nil:
			r.Saw()
		case x.Cause == probe.Version && !slices.Contains(seen, version):
			// Once is enough: it is the same for all samples.
			seen = append(seen, version)
			r.Fail(x, "it has no answer in %s, although that is listed", version)
		}
	}
	r.Lacks(nothingAnswered)
}

func saysAllowed(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		r.Saw()
		switch written, present := x.Answer.Response["allowed"]; {
		case present && written == nil:
			r.Fail(x, "response.allowed is null, which means no")
		case !present:
			r.Fail(x, "response.allowed is missing, which means no")
		case x.Answer.Allowed == nil:
			r.Fail(x, "response.allowed is neither true nor false")
		}
	}
	r.Lacks(nothingRead)
}
