package protocol

import (
	"fmt"
	"net/http"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func explainsDenials(w *probe.Webhook, r *check.Record) {
	r.Missing("the webhook denied none of the samples")
	for _, x := range w.Answered() {
		if !denies(x.Answer) {
			continue
		}
		switch why := unexplained(x.Answer); {
		case why == "":
			r.Checked()
		case isSuccess(x):
			r.Fail(x, "%s", why)
		default: // C-STATUS reports it
			r.Missing("the webhook denied no sample with HTTP 200")
		}
	}
}

// unexplained describes what a denial lacks; empty if it lacks nothing.
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

// denies reports whether an answer means a denial. Without allowed it does if
// it has a status.
func denies(a *probe.Answer) bool {
	if a.Allowed != nil {
		return !*a.Allowed
	}
	return a.Response["status"] != nil
}
