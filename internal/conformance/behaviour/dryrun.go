package behaviour

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// dryRuns are the checks of requests after which nothing is stored.
func dryRuns() []check.Check {
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-DRY-RUN", Group: report.Behaviour, Level: report.Should,
				Title: "answers a dry run as it does the real request",
				Why:   "kubectl apply --dry-run=server and kubectl diff show what a dry run makes of the object. If that is not what the real request makes of it, they mislead those who decide by it; nothing is stored that should not be.",
				Fix:   "Let request.dryRun decide about side effects only, and about nothing that is in the answer.",
			},
			Each: answersAlike,
		},
		{
			Check: report.Check{
				ID: "C-SIDE-EFFECTS", Group: report.Behaviour, Level: report.Must,
				Title: "has no side effects that it says it has not",
				Why:   "kube-apiserver shows dry runs to webhooks with sideEffects None and NoneOnDryRun because these promise that nothing comes of it. Otherwise somebody who only wanted to look changes something.",
				Fix:   "Do nothing but answer if request.dryRun is true. If there are side effects otherwise, set sideEffects: NoneOnDryRun.",
			},
			Each: hasNoSideEffects,
		},
	}
}

// seesDryRuns reports whether kube-apiserver shows dry runs to a webhook (S-200, S-201). If
// not, the record says so.
func seesDryRuns(w *probe.Webhook, r *check.Record) bool {
	if w.SideEffects == nil {
		r.Lacks("sideEffects is not set: the webhook is never asked in a dry run")
		return false
	}
	switch *w.SideEffects {
	case registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun:
		return true
	}
	r.Lacks("sideEffects is %s: the webhook is never asked in a dry run", *w.SideEffects)
	return false
}

// dryRun returns a review of the request as a dry run; nil if there is none, or it is one
// already.
func dryRun(v *probe.Visit) probe.Review {
	if v.Request.DryRun || v.Request.Operation == admissionv1.Connect {
		return nil
	}
	r := v.Review().Set("dryRun", true)
	request, _ := r["request"].(map[string]any)
	if options, ok := request["options"].(map[string]any); ok {
		options["dryRun"] = []any{"All"}
	}
	return r
}

func answersAlike(ctx context.Context, w *probe.Webhook, r *check.Record) {
	if !seesDryRuns(w, r) {
		return
	}
	r.Lacks("the webhook has no good answer to a sample that can be a dry run")
	for _, v := range w.Good() {
		review := dryRun(v)
		if review == nil {
			continue
		}
		dry := w.Send(ctx, v.Name, review)
		r.Saw()
		actual := w.Met(v)
		what, where := unlike(w, actual, dry)
		if what == "" {
			continue
		}
		// An answer that is not even the same to the same request says nothing.
		if chance, _ := unlike(w, actual, w.Send(ctx, v.Name, v.Review())); chance != "" {
			continue
		}
		r.Find(finding(v.Name, where, actual, dry), "the dry run %s", what)
	}
}

// unlike says what is different about an answer to the same request, and where in the
// object; empty if nothing is. A patch that cannot be applied is for other checks.
func unlike(w *probe.Webhook, expected, got *probe.Exchange) (what string, where []string) {
	switch {
	case got.Answer == nil:
		return "has no answer", nil
	case got.Answer.IsAllowed() && !expected.Answer.IsAllowed():
		return "is allowed, the real request is not", nil
	case !got.Answer.IsAllowed() && expected.Answer.IsAllowed():
		return "is denied, the real request is not", nil
	case got.Answer.Code != expected.Answer.Code:
		return fmt.Sprintf("has the status code %d, the real request %d", got.Answer.Code, expected.Answer.Code), nil
	case w.Phase != admission.Mutating:
		return "", nil
	}
	before, err := expected.Patched()
	if err != nil {
		return "", nil
	}
	after, err := got.Patched()
	if err != nil {
		return "", nil
	}
	if where = paths(differences(before, after)); len(where) > 0 {
		return "makes another object than the real request", where
	}
	return "", nil
}
