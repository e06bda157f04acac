package transport

import (
	"context"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// load are the checks of many reviews and of large ones.
func load() []check.Check {
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-CONCURRENCY", Group: report.Protocol, Level: report.Must,
				Title: "answers 64 reviews at once, each its own",
				Why:   "kube-apiserver sends reviews as requests come, without waiting for earlier ones: a rollout makes hundreds at once. A review that is turned away is a call that has failed, or a request that is denied for no fault of its own. One that gets the answer of another is a failed call, too, and so is one that waits for the others until timeoutSeconds are over.",
				Fix:   "Keep what belongs to a review in variables of its handler. Let reviews wait for a slot instead of turning them away or denying them, but not each for all others: hold no lock while something slow is done.",
			},
			Each: answersAtOnce,
		},
		{
			Check: report.Check{
				ID: "C-LARGE-OBJECT", Group: report.Protocol, Level: report.Must,
				Title: "answers reviews of objects of 3 MiB",
				Why:   "kube-apiserver accepts bodies of up to 3 MiB, and asks webhooks before it stores anything: they are shown objects, too, that are too large for etcd, which takes 1.5 MiB by default. The review is larger than the object, and that of an update has two of them. A webhook that does not read it to its end fails the call, or denies what it has not seen.",
				Fix:   "Read bodies of at least 8 MiB (an update has the object twice) before giving up: look at MaxBytesReader, LimitReader, the limits of the library that the webhook is written with, and those of proxies before it.",
			},
			Each: answersLarge,
		},
	}
}

// turned reports whether an answer is no, and was yes when the webhook met the sample.
func turned(met, x *probe.Exchange) bool { return met.Answer.IsAllowed() && !x.Answer.IsAllowed() }

const (
	// large is how many bytes of JSON an object has, with the annotation around the
	// padding nearly the 3 MiB of which kube-apiserver accepts no more.
	large = 3<<20 - 100
	// padding is the annotation that is long.
	padding = "conformance.gatehouse/padding"
)

func answersLarge(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Lacks("the webhook answered no sample with an object")
	for _, met := range w.AllowedFirst() {
		missing := large - len(met.Object())
		if met.Object() == nil || missing < 0 || met.Review.Operation() == string(admissionv1.Connect) {
			continue
		}
		x := w.Send(ctx, met.Sample, padded(met, missing))
		switch {
		case x.Answer == nil:
			r.Fail(x, "there is no answer to a review of an object of 3 MiB: %s", x.Outcome())
		case !turned(met, x):
			r.Saw()
		case mindsPadding(ctx, w, met):
			r.Lacks("the webhook denies objects because of the annotation that makes them large")
			continue
		default:
			r.Fail(x, "an object of 3 MiB is denied, and a small one is not: %q", x.Answer.Message)
		}
		return
	}
}

// padded returns a review with an annotation of n bytes more.
func padded(met *probe.Exchange, n int) probe.Review {
	return met.Again().SetObject(strings.Repeat("x", n), "metadata", "annotations", padding)
}

// mindsPadding reports whether the webhook has something against the annotation, however
// small it is.
func mindsPadding(ctx context.Context, w *probe.Webhook, met *probe.Exchange) bool {
	x := w.Send(ctx, met.Sample, padded(met, 1))
	return x.Answer != nil && turned(met, x)
}
