package misuse

import (
	"bytes"
	"context"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func toleratesUnknown(ctx context.Context, w *probe.Webhook, r *check.Record) {
	for _, met := range w.OnePerOperation() {
		for _, p := range locations() {
			review := met.ReviewCopy()
			if !p.extend(review) {
				continue
			}
			r.Checked()
			x := w.Send(ctx, met.Sample, review)
			if wrong, where := unknownFieldProblem(met, x); wrong != "" {
				shown := check.Finding{Sample: met.Sample, Paths: where, Evidence: []*probe.Exchange{x}}
				r.Add(shown, "with an unknown field in the %s, %s", p.name, wrong)
			}
		}
	}
	r.Missing(check.NothingAnswered)
}

// location is a part of a review that can have unknown fields.
type location struct {
	name string
	// extend adds a field to a review. It reports whether the review has the
	// part.
	extend func(probe.Review) bool
}

func locations() []location {
	return []location{
		{"review", func(r probe.Review) bool { r[unknownField] = true; return true }},
		{"request", func(r probe.Review) bool { r.Set(unknownField, true); return true }},
		{"object", extendObjects},
	}
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

// unknownFieldProblem describes how an unknown field changed the answer, and
// where in the object; empty if it did not.
func unknownFieldProblem(met, x *probe.Exchange) (what string, where []string) {
	switch {
	case x.Answer == nil:
		return "there is no answer: " + x.Outcome(), nil
	case met.Answer.IsAllowed() && !x.Answer.IsAllowed():
		return "the answer is no longer a yes but " + x.Outcome(), nil
	}
	// C-PATCH-APPLIES reports patches that do not apply.
	patched, err := x.Patched()
	if err != nil {
		return "", nil
	}
	var before, after any
	if utiljson.Unmarshal(x.Object(), &before) != nil || utiljson.Unmarshal(patched, &after) != nil {
		return "", nil
	}
	where = lostPaths(explain.Path{}, before, after)
	switch name := []byte(unknownField); {
	case len(where) == 0:
		return "", nil
	case bytes.Count(patched, name) < bytes.Count(x.Object(), name):
		return "the patch removes it", where
	}
	return "the patch leaves it with another item", where
}
