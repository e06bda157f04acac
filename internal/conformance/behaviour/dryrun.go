package behaviour

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// receivesDryRuns reports whether kube-apiserver sends dry runs to a webhook
// (S-200, S-201). If not, it sets the skip message.
func receivesDryRuns(w *probe.Webhook, r *check.Record) bool {
	if w.SideEffects == nil {
		r.Missing("sideEffects is not set: kube-apiserver does not call the webhook in a dry run")
		return false
	}
	switch *w.SideEffects {
	case registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun:
		return true
	}
	r.Missing("sideEffects is %s: kube-apiserver does not call the webhook in a dry run", *w.SideEffects)
	return false
}

// dryRun returns the review of the request as a dry run; nil if it cannot be
// one, or is one already.
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
	if !receivesDryRuns(w, r) {
		return
	}
	r.Missing("the webhook has no good answer to a sample that can be a dry run")
	for _, v := range w.AnsweredVisits() {
		review := dryRun(v)
		if review == nil {
			continue
		}
		dry := w.Send(ctx, v.Name, review)
		r.Checked()
		actual := w.ExchangeFor(v)
		what, where := difference(w, actual, dry)
		if what == "" {
			continue
		}
		// Skip webhooks whose answer to the same request varies.
		if chance, _ := difference(w, actual, w.Send(ctx, v.Name, v.Review())); chance != "" {
			continue
		}
		r.Add(newFinding(v.Name, where, actual, dry), "the dry run %s", what)
	}
}

// difference describes how the answer to the same request differs, and where in
// the object; empty if it does not. Other checks report patches that do not
// apply.
func difference(w *probe.Webhook, expected, got *probe.Exchange) (what string, where []string) {
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
	if where = paths(diff(before, after)); len(where) > 0 {
		return "makes another object than the real request", where
	}
	return "", nil
}
