package output

import (
	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/session"
)

// WhyNot says why a webhook was not called for a visit, in the words of package explain.
// It is empty if the request did not live to see the webhook, or if it was called.
func WhyNot(v *session.Visit, webhook session.Hook) string {
	why := ""
	skipped(v, func(_ *explain.Round, w *explain.Webhook) {
		if why == "" && webhook == (session.Hook{Configuration: w.Configuration, Name: w.Name}) {
			why = w.Reason
		}
	})
	return why
}

// skipped visits the webhooks that did not match, in order. What they are told apart by
// is shown as it is, as in all that is printed beside the reason.
func skipped(v *session.Visit, visit func(*explain.Round, *explain.Webhook)) {
	e := v.Explain(explain.ShowSecrets())
	for i := range e.Rounds {
		r := &e.Rounds[i]
		for j := range r.Webhooks {
			w := &r.Webhooks[j]
			if w.Stage != admission.StagePassed.String() || w.Error != "" {
				visit(r, w)
			}
		}
	}
}
