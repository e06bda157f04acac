package misuse

import (
	"context"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// rejects returns a check that a webhook rejects the check's inputs. A status of 4xx is a
// rejection; isWrong decides about all other responses.
func rejects(
	id string, isWrong func(*probe.Exchange) bool,
) func(context.Context, *probe.Webhook, *check.Record) {
	return check.WithReview(
		func(ctx context.Context, w *probe.Webhook, good *probe.Exchange, r *check.Record) {
			r.Missing("the webhook denies good reviews as well")
			for _, in := range inputs(good) {
				if in.check != id {
					continue
				}
				bad, _ := in.send(ctx, w, good)
				switch {
				case bad.Status/100 == 4:
					r.Checked()
				case isWrong(bad):
					r.Fail(bad, "the answer to %s is %s", in.what, bad.Outcome())
				case good.Answer.IsAllowed() || !denied(bad):
					r.Checked()
				}
			}
		})
}

// isNotDenial reports whether a response is not a denial.
func isNotDenial(x *probe.Exchange) bool { return !denied(x) }

// admitsOrFails reports whether a response allows the request, or shows a
// failure of the server. An ordinary page does neither.
func admitsOrFails(x *probe.Exchange) bool {
	if x.Answer != nil {
		return x.Answer.IsAllowed()
	}
	return x.Err != nil || x.Status/100 == 5
}

// denied reports whether a response denies the request. Other checks report its
// other faults.
func denied(x *probe.Exchange) bool {
	return x.Answer != nil && x.Answer.Denies()
}

func survivesBadInput(
	ctx context.Context, w *probe.Webhook, good *probe.Exchange, r *check.Record,
) {
	for _, in := range inputs(good) {
		r.Checked()
		bad, after := in.send(ctx, w, good)
		if after.Answer == nil {
			shown := check.Finding{Sample: good.Sample, Evidence: []*probe.Exchange{bad, after}}
			r.Add(shown, "there was no answer right after %s: %s", in.what, after.Outcome())
		}
	}
}
