package counts

import "example.com/gatehouse/admission"

// ErrorType is the label error_type of a rejection (S-332).
type ErrorType string

// The values of the label error_type.
const (
	NoError                ErrorType = "no_error"
	CallingWebhookError    ErrorType = "calling_webhook_error"
	APIServerInternalError ErrorType = "apiserver_internal_error"
)

// Call says what a call counts as.
type Call struct {
	// Request: the call counts as a request, with its duration.
	Request bool
	// Rejection is the error type of a rejection; empty if the call does not
	// count as one.
	Rejection ErrorType
	// FailOpen: the call counts as failed open.
	FailOpen bool
}

// OfCall returns what a call counts as. A call without an outcome does not
// count.
//
// Compat: S-255, S-256: a call that failed because its request was canceled
// counts neither as a rejection nor as a fail-open, although it may reject the
// request.
//
// Compat: S-193: a call that panicked does not count as a request.
func OfCall(c *admission.Call) Call {
	switch c.Outcome {
	case admission.Allowed, admission.Canceled:
		return Call{Request: true}
	case admission.Rejected:
		return Call{Request: true, Rejection: NoError}
	case admission.FailedClosed:
		return Call{Request: true, Rejection: CallingWebhookError}
	case admission.Internal:
		return Call{Request: true, Rejection: APIServerInternalError}
	case admission.FailedOpen:
		return Call{Request: true, FailOpen: true}
	case admission.Panicked:
		return Call{FailOpen: c.Webhook.IgnoresFailures()}
	}
	return Call{}
}

// Evaluated reports whether the evaluation of the matchConditions counts.
//
// Compat: S-153: if all conditions are true, nothing is counted, not even the
// duration.
func Evaluated(m *admission.Match) bool {
	return m.Conditions.Verdict != 0 && m.Conditions.Verdict != admission.ConditionsTrue
}

// Excluded reports whether the conditions excluded the webhook. With
// failurePolicy Ignore, an error excludes it as a false condition does (S-151);
// with Fail, an error fails the request, which does not count as an exclusion.
func Excluded(m *admission.Match) bool {
	return m.Stage == admission.StageConditions && m.Err == nil
}

// Kind is the label "kind" of evaluations; the other value is "policy".
const Kind = "webhook"

// CallType returns the label "type" of calls and of evaluations of
// matchConditions (S-155, S-330).
//
// Compat: S-155: upstream names one phase after its method and the other after
// its plugin.
func CallType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validating"
}

// ExclusionType returns the label "type" of exclusions by matchConditions.
//
// Compat: S-155: it differs from CallType in the validating phase.
func ExclusionType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validate"
}
