package output

import (
	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/session"
)

// WhyNot returns why a webhook was not called in a visit, in the words of
// package explain. It is empty if the webhook was called, or the request ended
// before.
func WhyNot(v *session.Result, webhook session.WebhookName) string {
	why := ""
	skipped(v, func(_ *explain.Round, w *explain.Webhook) {
		if why == "" && webhook == (session.WebhookName{Configuration: w.Configuration, Name: w.Name}) {
			why = w.Reason
		}
	})
	return why
}

// skipped calls visit for the webhooks that did not match, in order. The
// reasons are not redacted, like all that is printed beside them.
func skipped(v *session.Result, visit func(*explain.Round, *explain.Webhook)) {
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
