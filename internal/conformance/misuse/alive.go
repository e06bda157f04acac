package misuse

import (
	"context"
	"slices"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// alive is the check that webhooks survive.
func alive() []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-ALIVE", Group: report.Protocol, Level: report.Must,
			Title: "still answers after bad input",
			Why:   "Whoever reaches the port could stop the webhook: with failurePolicy Fail nobody can write what it looks at any more, and with Ignore nobody is checked.",
			Fix:   "Never end the process because of a request: no log.Fatal, os.Exit or panic that is not recovered in a handler. Give locks and slots back on every way out (defer).",
		},
		Each: staysAlive,
	}}
}

func staysAlive(ctx context.Context, w *probe.Webhook, r *check.Record) {
	typical := w.AllowedFirst()
	if len(typical) == 0 {
		r.Lacks(check.Unanswered)
		return
	}
	good := typical[0]
	for _, in := range slices.Concat(unlisted(good), garbage(good), emptyBody(good), otherType(good), get(good)) {
		r.Saw()
		bad, after := in.send(ctx, w, good)
		if after.Answer == nil {
			shown := check.Finding{Sample: good.Sample, Evidence: []*probe.Exchange{bad, after}}
			r.Find(shown, "there was no answer right after %s: %s", in.what, after.Outcome())
		}
	}
}
