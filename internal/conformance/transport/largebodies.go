package transport

import (
	"context"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// newlyDenied reports whether a review that was allowed before is now denied.
func newlyDenied(
	met, x *probe.Exchange,
) bool {
	return met.Answer.IsAllowed() && !x.Answer.IsAllowed()
}

const (
	// largeObject is the size of an object in JSON, in bytes: with the
	// annotation around the padding nearly the 3 MiB that kube-apiserver
	// accepts.
	largeObject = 3<<20 - 100
	// padding is the annotation that makes objects large.
	padding = "conformance.gatehouse/padding"
)

func answersLarge(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing("the webhook answered no sample with an object")
	for _, met := range w.AllowedFirst() {
		missing := largeObject - len(met.Object())
		if met.Object() == nil || missing < 0 || met.Review.Operation() == string(admissionv1.Connect) {
			continue
		}
		x := w.Send(ctx, met.Sample, padded(met, missing))
		switch {
		case x.Answer == nil:
			r.Fail(x, "there is no answer to a review of an object of 3 MiB: %s", x.Outcome())
		case !newlyDenied(met, x):
			r.Checked()
		case deniesPadding(ctx, w, met):
			r.Missing("the webhook denies objects because of the annotation that makes them large")
			continue
		default:
			r.Fail(x, "an object of 3 MiB is denied, and a small one is not: %q", x.Answer.Message)
		}
		return
	}
}

// padded returns a review with an annotation of n bytes more.
func padded(met *probe.Exchange, n int) probe.Review {
	return met.ReviewCopy().SetObject(strings.Repeat("x", n), "metadata", "annotations", padding)
}

// deniesPadding reports whether the webhook denies the annotation whatever its
// size.
func deniesPadding(ctx context.Context, w *probe.Webhook, met *probe.Exchange) bool {
	x := w.Send(ctx, met.Sample, padded(met, 1))
	return x.Answer != nil && newlyDenied(met, x)
}
