package probe

import (
	"context"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
)

// Cause is why a webhook has no answer to a review.
type Cause string

const (
	// Version: it answers the same review in another version.
	Version Cause = "version"
	// NullObject: it answers if a DELETE has an object.
	NullObject Cause = "null object"
	// NullOldObject: it answers if a CREATE has an oldObject.
	NullOldObject Cause = "null oldObject"
	// NullOptions: it answers if a CONNECT has options.
	NullOptions Cause = "null options"
	// Unknown: it is none of these.
	Unknown Cause = "unknown"
)

// Meet has every webhook answer the reviews of all its samples, one after the other, in
// each of the versions that it lists and that there are, its first one first. Webhooks
// that cannot be reached are marked, and so are those that say nothing.
func (c *Collection) Meet(ctx context.Context) error {
	for _, w := range c.Webhooks {
		w.meet(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *Webhook) meet(ctx context.Context) {
	for _, v := range w.Visits {
		var met []*Exchange
		for _, version := range w.versions(v.Version) {
			met = append(met, w.Send(ctx, v.Name, v.Review().As(version)))
			if w.Unreachable != nil {
				break
			}
		}
		w.blame(ctx, v, met)
		w.Exchanges = append(w.Exchanges, met...)
		if w.Unreachable != nil {
			return
		}
	}
}

// blame finds out why some of the exchanges of a visit, one for each version, have no
// Answer.
func (w *Webhook) blame(ctx context.Context, v *Visit, met []*Exchange) {
	answered := slices.ContainsFunc(met, func(x *Exchange) bool { return x.Answer != nil })
	for _, x := range met {
		switch {
		case x.Answer != nil:
		case x.late() || w.Unreachable != nil:
			x.Cause = Unknown
		case answered:
			x.Cause = Version
		default:
			x.Cause = w.cause(ctx, v, x.Review.Version())
		}
	}
}

// versions returns the versions of AdmissionReview that the webhook lists and that there
// are, the given one first.
func (w *Webhook) versions(first string) []string {
	versions := []string{first}
	for _, version := range w.AdmissionReviewVersions {
		full := "admission.k8s.io/" + version
		if (full == V1 || full == V1beta1) && !slices.Contains(versions, full) {
			versions = append(versions, full)
		}
	}
	return versions
}

// cause finds out what a webhook could not stand about a review, by not confronting it
// with that.
func (w *Webhook) cause(ctx context.Context, v *Visit, version string) Cause {
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
		return Unknown // it fails now and then, whatever it is sent
	}
	return cause
}

// Answered returns the exchanges that have an Answer.
func (w *Webhook) Answered() []*Exchange {
	var answered []*Exchange
	for _, x := range w.Exchanges {
		if x.Answer != nil {
			answered = append(answered, x)
		}
	}
	return answered
}

// Good returns the visits that the webhook has an answer to, in the version that the
// engine sends first: those that say something about its behaviour.
func (w *Webhook) Good() []*Visit {
	var good []*Visit
	for _, v := range w.Visits {
		if w.Met(v) != nil {
			good = append(good, v)
		}
	}
	return good
}

// Met returns the exchange for which a visit is a good one; nil if it is none.
func (w *Webhook) Met(v *Visit) *Exchange {
	for _, x := range w.Exchanges {
		if x.Sample == v.Name && x.Answer != nil && x.Review.Version() == v.Version {
			return x
		}
	}
	return nil
}
