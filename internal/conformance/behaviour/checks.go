package behaviour

import (
	"context"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// Checks returns the checks, in their order.
func Checks() []check.Check {
	repeats := &repeats{}
	return slices.Concat(
		alone(repeats), orders(), together(repeats), dryRuns(), identities(), mirrors(), patches(), latencies(),
	)
}

// each is what a check does with one webhook.
type each func(ctx context.Context, w *probe.Webhook, r *check.Record)

// ifMutating has a check look at mutating webhooks alone: the others change nothing.
func ifMutating(look each) each {
	return func(ctx context.Context, w *probe.Webhook, r *check.Record) {
		if w.Phase != admission.Mutating {
			r.Lacks("it is a validating webhook, which changes nothing")
			return
		}
		look(ctx, w, r)
	}
}

// nothingToChange is what checks lack that look at changes of objects.
const nothingToChange = "the webhook has no good answer to a sample that has an object"
