package protocol

import (
	"context"
	"net/http"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// Checks returns the checks, in their order.
func Checks() []check.Check {
	return slices.Concat(answers(), fields(), denials(), patches(), patchedKinds(), patchesOnDelete(), nulls(), warnings(), extras())
}

// each is a check of one webhook after the other.
func each(definition report.Check, look func(w *probe.Webhook, r *check.Record)) check.Check {
	definition.Group = report.Protocol
	return check.Check{Check: definition, Each: func(_ context.Context, w *probe.Webhook, r *check.Record) { look(w, r) }}
}

// ifMutating has a check look at mutating webhooks alone.
func ifMutating(look func(w *probe.Webhook, r *check.Record)) func(w *probe.Webhook, r *check.Record) {
	return func(w *probe.Webhook, r *check.Record) {
		if w.Phase != admission.Mutating {
			r.Lacks(isValidating)
			return
		}
		look(w, r)
	}
}

// taken reports whether an answer comes with a status of success, so that kube-apiserver
// reads it.
func taken(x *probe.Exchange) bool {
	return x.Status >= http.StatusOK && x.Status <= http.StatusPartialContent
}

// read returns the answers that kube-apiserver reads. The others are for C-STATUS alone:
// they come from where errors are handled, and often lack more than the status.
func read(w *probe.Webhook) []*probe.Exchange {
	return slices.DeleteFunc(w.Answered(), func(x *probe.Exchange) bool { return !taken(x) })
}

// What checks of answers lack.
const (
	nothingAnswered = "the webhook answered nothing"
	nothingRead     = "the webhook answered nothing with HTTP 200"
	isValidating    = "it is a validating webhook"
)
