package misuse

import (
	"bytes"
	"context"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// newer is the check of what newer servers send.
func newer() []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-UNKNOWN-FIELDS", Group: report.Protocol, Level: report.Must,
			Title: "tolerates fields that it does not know",
			Why:   "Newer servers have new fields, in reviews and in objects. A webhook that takes offence at them fails calls, or denies objects, from the day on which the cluster is upgraded. One that makes its patch from what its own types can hold removes them from the objects or, where it shifts the items of a list, leaves them with the wrong item.",
			Fix:   "Decode without DisallowUnknownFields and without strict decoders. Write patches for what you change, or for the difference between the object as you decoded it and what you made of it: not for the difference to the JSON that was sent. Add items at the end of lists: a difference that goes by position makes one item into another, and what it does not know of stays where it was.",
		},
		Each: toleratesUnknown,
	}}
}

func toleratesUnknown(ctx context.Context, w *probe.Webhook, r *check.Record) {
	for _, met := range w.Typical() {
		for _, p := range places() {
			review := met.Again()
			if !p.extend(review) {
				continue
			}
			r.Saw()
			x := w.Send(ctx, met.Sample, review)
			if wrong, where := offence(met, x); wrong != "" {
				shown := check.Finding{Sample: met.Sample, Paths: where, Evidence: []*probe.Exchange{x}}
				r.Find(shown, "with an unknown field in the %s, %s", p.name, wrong)
			}
		}
	}
	r.Lacks(check.Unanswered)
}

// place is where unknown fields turn up.
type place struct {
	name string
	// extend adds one to a review, if that has the place.
	extend func(probe.Review) bool
}

func places() []place {
	return []place{{"review", extendReview}, {"request", extendRequest}, {"object", extendObjects}}
}

func extendReview(r probe.Review) bool {
	r[unknown] = true
	return true
}

func extendRequest(r probe.Review) bool {
	r.Set(unknown, true)
	return true
}

func extendObjects(r probe.Review) bool {
	extended := false
	for field, object := range map[string]map[string]any{"object": r.Object(), "oldObject": r.OldObject()} {
		if object != nil {
			extend(object)
			r.Set(field, object)
			extended = true
		}
	}
	return extended
}

// offence says what became of an answer because of an unknown field, and where in the
// object; empty if nothing did.
func offence(met, x *probe.Exchange) (what string, where []string) {
	switch {
	case x.Answer == nil:
		return "there is no answer: " + x.Outcome(), nil
	case met.Answer.IsAllowed() && !x.Answer.IsAllowed():
		return "the answer is no longer a yes but " + x.Outcome(), nil
	}
	// Patches that cannot be applied are for other checks.
	patched, err := x.Patched()
	if err != nil {
		return "", nil
	}
	var before, after any
	if utiljson.Unmarshal(x.Object(), &before) != nil || utiljson.Unmarshal(patched, &after) != nil {
		return "", nil
	}
	where = lost(before, after)
	switch name := []byte(unknown); {
	case len(where) == 0:
		return "", nil
	case bytes.Count(patched, name) < bytes.Count(x.Object(), name):
		return "the patch removes it", where
	}
	return "the patch leaves it with another item", where
}
