package probe

import (
	"context"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
)

// Cause is the reason why a webhook did not answer a review.
type Cause string

const (
	// Version: it answers the same review in another version.
	Version Cause = "version"
	// NullObject: it answers a DELETE that has an object.
	NullObject Cause = "null object"
	// NullOldObject: it answers a CREATE that has an oldObject.
	NullOldObject Cause = "null oldObject"
	// NullOptions: it answers a CONNECT that has options.
	NullOptions Cause = "null options"
	// Unknown: none of the above.
	Unknown Cause = "unknown"
)

// Collect sends every webhook the reviews of all its samples, one after
// another, in each supported version that the webhook lists, in the order of
// the list. Validating webhooks receive the samples after the mutating webhooks
// have changed them. Collect marks webhooks as unreachable if it cannot reach
// them, or if they never answer.
func (c *Collection) Collect(ctx context.Context) error {
	if err := c.collect(ctx, admission.Mutating); err != nil {
		return err
	}
	if err := c.mutateSamples(ctx); err != nil {
		return err
	}
	return c.collect(ctx, admission.Validating)
}

func (c *Collection) collect(ctx context.Context, phase admission.Phase) error {
	for _, w := range c.Webhooks {
		if w.Phase != phase {
			continue
		}
		w.collect(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *Webhook) collect(ctx context.Context) {
	for _, v := range w.Visits {
		var met []*Exchange
		for _, version := range w.reviewVersions(v.Version) {
			met = append(met, w.Send(ctx, v.Name, v.Review().As(version)))
			if w.Unreachable != nil {
				break
			}
		}
		w.explainMissing(ctx, v, met)
		w.Exchanges = append(w.Exchanges, met...)
		if w.Unreachable != nil {
			return
		}
	}
}

// explainMissing sets the Cause of the exchanges of one visit that have no
// Answer. There is one exchange for each version.
func (w *Webhook) explainMissing(ctx context.Context, v *Visit, met []*Exchange) {
	answered := slices.ContainsFunc(met, func(x *Exchange) bool { return x.Answer != nil })
	for _, x := range met {
		switch {
		case x.Answer != nil:
		case x.timedOut() || w.Unreachable != nil:
			x.Cause = Unknown
		case answered:
			x.Cause = Version
		default:
			x.Cause = w.findCause(ctx, v, x.Review.Version())
		}
	}
}

// reviewVersions returns the supported AdmissionReview versions that the
// webhook lists, the given one first.
func (w *Webhook) reviewVersions(first string) []string {
	versions := []string{first}
	for _, version := range w.AdmissionReviewVersions {
		full := "admission.k8s.io/" + version
		if (full == V1 || full == V1beta1) && !slices.Contains(versions, full) {
			versions = append(versions, full)
		}
	}
	return versions
}

// findCause sends a variant of the review, without the null that may be the
// cause.
func (w *Webhook) findCause(ctx context.Context, v *Visit, version string) Cause {
	r := v.Review().As(version)
	cause := Unknown
	switch operation := r.Operation(); {
	case operation == string(admissionv1.Create) && r.OldObject() == nil:
		cause = NullOldObject
		r.Set("oldObject", r.Object())
	case operation == string(admissionv1.Delete) && r.Object() == nil:
		cause = NullObject
		r.Set("object", r.OldObject())
	case operation == string(admissionv1.Connect):
		cause = NullOptions
		r.Set("options", map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"})
	default:
		return Unknown
	}
	if w.Send(ctx, v.Name, r).Answer == nil {
		return Unknown
	}
	if w.Send(ctx, v.Name, v.Review().As(version)).Answer != nil {
		return Unknown // it fails intermittently
	}
	return cause
}

// Answered returns the exchanges that have an Answer.
func (w *Webhook) Answered() []*Exchange {
	return slices.DeleteFunc(slices.Clone(w.Exchanges),
		func(x *Exchange) bool { return x.Answer == nil })
}

// AnsweredVisits returns the visits that the webhook answered in the version
// that the dispatcher sends.
func (w *Webhook) AnsweredVisits() []*Visit {
	return slices.DeleteFunc(slices.Clone(w.Visits),
		func(v *Visit) bool { return w.ExchangeFor(v) == nil })
}

// ExchangeFor returns the answered exchange of a visit in the version that the
// dispatcher sends; nil if there is none.
func (w *Webhook) ExchangeFor(v *Visit) *Exchange {
	for _, x := range w.Exchanges {
		if x.Sample == v.Name && x.Answer != nil && x.Review.Version() == v.Version {
			return x
		}
	}
	return nil
}

// OnePerOperation returns answered exchanges of Collect in the version that the
// dispatcher sends: for each operation an allowed one and a denied one, if they
// exist. Checks that send variants of a review use them instead of all samples.
func (w *Webhook) OnePerOperation() []*Exchange {
	type kind struct {
		operation string
		allowed   bool
	}
	var exchanges []*Exchange
	seen := map[kind]bool{}
	for _, v := range w.AnsweredVisits() {
		x := w.ExchangeFor(v)
		k := kind{x.Review.Operation(), x.Answer.IsAllowed()}
		if !seen[k] {
			seen[k] = true
			exchanges = append(exchanges, x)
		}
	}
	return exchanges
}

// AllowedFirst returns the exchanges of OnePerOperation, the allowed ones
// first: if the answer to a variant is a denial, the change is the reason.
func (w *Webhook) AllowedFirst() []*Exchange {
	all := w.OnePerOperation()
	denied := func(x *Exchange) bool { return !x.Answer.IsAllowed() }
	allowed := slices.DeleteFunc(slices.Clone(all), denied)
	return append(allowed, slices.DeleteFunc(all, func(x *Exchange) bool { return !denied(x) })...)
}
