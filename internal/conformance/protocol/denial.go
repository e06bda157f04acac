package protocol

import (
	"fmt"
	"net/http"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// denials are the checks of answers that say no.
func denials() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-DENIAL", Level: report.Should,
			Title: "explains a denial, with a status code of an error",
			Why:   "Without a message the user reads at most a reason, and otherwise that the request was denied “without explanation”. A code below 400 becomes 400, Bad Request, which clients take for a malformed request.",
			Fix:   "Set response.status.code, 403 for what is forbidden and 422 for what is invalid, and say in response.status.message what is wrong and how to mend it.",
		}, explainsDenials),
	}
}

func explainsDenials(w *probe.Webhook, r *check.Record) {
	r.Lacks("the webhook denied none of the samples")
	for _, x := range w.Answered() {
		if !denies(x.Answer) {
			continue
		}
		switch why := unexplained(x.Answer); {
		case why == "":
			r.Saw()
		case taken(x):
			r.Fail(x, "%s", why)
		default: // it is for C-STATUS
			r.Lacks("the webhook denied no sample with HTTP 200")
		}
	}
}

// unexplained says what a denial lacks; empty if it is nothing.
func unexplained(a *probe.Answer) string {
	silent := a.Message == ""
	switch bad := a.Code < http.StatusBadRequest || a.Code > 599; {
	case bad && silent:
		return fmt.Sprintf("the denial has no message, and status.code is %d", a.Code)
	case bad:
		return fmt.Sprintf("status.code of the denial is %d, which is not that of an error", a.Code)
	case silent:
		return "the denial has no message"
	}
	return ""
}

// denies reports whether an answer is meant to say no. One that says nothing does if it
// has a status.
func denies(a *probe.Answer) bool {
	if a.Allowed != nil {
		return !*a.Allowed
	}
	return a.Response["status"] != nil
}
