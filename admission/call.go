package admission

import (
	"encoding/json"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Call is the record of one call of a webhook. The engine creates it, decides
// the outcome from it, and then passes it to metrics, audit and observers. Do
// not modify it.
//
// A call that failed before the engine sent anything (a dry run that the
// webhook does not support, no common review version) also has a record.
type Call struct {
	// Webhook is the webhook that was called.
	Webhook *Webhook
	// Operation is the request's operation.
	Operation admissionv1.Operation
	// Target is the resource and kind in the review that the webhook received.
	Target Target
	// Round is 0, or 1 for a reinvocation. It is always 0 when validating.
	Round int
	// Index numbers the call in annotation keys: the webhook's position among
	// all mutating webhooks, or among the validating webhooks that matched.
	//
	// Compat: S-160, S-191: the two phases count differently.
	Index int

	// UID is the uid of the AdmissionReview; empty if there was none.
	UID types.UID
	// ReviewVersion is "v1" or "v1beta1"; empty if there was no review.
	ReviewVersion string
	// URL is the URL of the call, with its query; empty if no review was sent.
	URL string
	// Duration is that of the whole call, from the decision to call until the
	// object was patched.
	Duration time.Duration

	// Outcome is how the call ended.
	Outcome Outcome
	// Step is the last step that the engine took. If the outcome is a failure,
	// this step failed.
	Step Step
	// Origin says where the text of Err comes from. It is zero exactly when Err
	// is nil.
	Origin Origin
	// Code is the status code that metrics report: 200 for Allowed, the
	// webhook's own, from 400 to 599, for Rejected, 0 for Internal, 500 for
	// Panicked. For a failed call it is the HTTP status, or 400, 500 or 503,
	// depending on the step that failed (S-240…S-247).
	Code int
	// Err is the error of the call, or the webhook's denial. It is nil exactly
	// when the outcome is Allowed. It is a *CallError for a failed call, and a
	// *StatusError for Rejected and Internal.
	Err error

	// Warnings are the webhook's warnings, in order. They are kept only if the
	// response passed verification.
	Warnings []string
	// AuditAnnotations are the webhook's annotations, without the prefix that
	// recording adds.
	AuditAnnotations map[string]string
	// Changed reports whether the patch changed the object, before defaulting
	// (S-179).
	Changed bool
	// Patch is the applied JSON patch, in the form of the audit annotation; nil
	// if none was applied (S-314).
	Patch json.RawMessage

	// Dropped counts the warnings and annotations beyond the limits. Warnings
	// and AuditAnnotations do not contain them.
	Dropped Dropped
	// AuditErrors are annotations that the host's attributes rejected, for
	// example for a malformed key (S-311). They do not affect the request.
	AuditErrors []AuditError

	// Trace is the detailed record of the call; nil without Config.Trace.
	Trace *Trace
}

// Dropped counts the warnings and annotations of a webhook that the engine
// dropped, because there were too many.
type Dropped struct {
	Warnings, AuditAnnotations int
}

// AuditError is the error for a rejected annotation.
type AuditError struct {
	// Key is the annotation's key, truncated if it is long.
	Key string
	// Err is the error of the host's attributes. Its text may contain values of
	// annotations, which are for the audit event only: do not log it.
	Err error
}

// Rejects reports whether the call ends the request with an error that metrics
// count as a rejection (S-334).
func (c *Call) Rejects() bool {
	switch c.Outcome {
	case Rejected, FailedClosed, Internal:
		return true
	case Canceled, Panicked:
		return !c.Webhook.IgnoresFailures()
	case Allowed, FailedOpen:
		return false
	}
	return false
}

// Outcome is how a call ended. The engine's outcome table lists the effects of
// each.
type Outcome uint8

const (
	// Allowed: the webhook allowed the request, and its patch, if any, was
	// applied.
	Allowed Outcome = 1 + iota
	// Rejected: the webhook denied the request.
	Rejected
	// FailedClosed: the call failed and failurePolicy is Fail.
	FailedClosed
	// FailedOpen: the call failed and failurePolicy is Ignore.
	FailedOpen
	// Canceled: the call failed because the request was canceled. The
	// failurePolicy decides, but metrics and audit do not count a failure of
	// the webhook (S-255, S-256).
	Canceled
	// Internal: the request fails whatever the failurePolicy, because the
	// webhook does not support dry runs, or its patch does not apply, exceeds a
	// limit, panics, or is for a DELETE.
	Internal
	// Panicked: the call of a validating webhook panicked (S-193). A panic in a
	// mutating call is a failed call or, if the patch panicked, Internal.
	Panicked
)

// String returns the outcome's name as tables and traces print it.
func (o Outcome) String() string {
	names := [...]string{
		Allowed:      "allowed",
		Rejected:     "rejected",
		FailedClosed: "failed closed",
		FailedOpen:   "failed open",
		Canceled:     "canceled",
		Internal:     "internal error",
		Panicked:     "panicked",
	}
	if o == 0 || int(o) >= len(names) {
		return "unknown"
	}
	return names[o]
}

// Step is a step of a call. The steps are listed in the order in which the
// engine takes them (S-169).
type Step uint8

const (
	// StepDryRun checks whether the webhook supports dry runs.
	StepDryRun Step = 1 + iota
	// StepReviewVersion selects the version of the AdmissionReview.
	StepReviewVersion
	// StepEndpoint gets the address and the HTTP client from the Client.
	StepEndpoint
	// StepExchange sends the review, and receives and decodes the response.
	StepExchange
	// StepVerify verifies the response and reads the webhook's verdict.
	StepVerify
	// StepDecodePatch decodes the patch.
	StepDecodePatch
	// StepApplyPatch applies the patch, and converts and defaults the object.
	StepApplyPatch
)

// String returns what the engine does in the step.
func (s Step) String() string {
	names := [...]string{
		StepDryRun:        "checking side effects",
		StepReviewVersion: "selecting the review version",
		StepEndpoint:      "getting the endpoint",
		StepExchange:      "exchanging the review",
		StepVerify:        "verifying the response",
		StepDecodePatch:   "decoding the patch",
		StepApplyPatch:    "applying the patch",
	}
	if s == 0 || int(s) >= len(names) {
		return "unknown"
	}
	return names[s]
}

// Origin says where the text of an error comes from, so that a log can leave
// out confidential text.
type Origin uint8

const (
	// OriginHost is the API server: the engine, the embedder's code or a limit.
	// The text quotes nothing that the webhook sent.
	OriginHost Origin = 1 + iota
	// OriginConnection is the connection to the webhook: name resolution, TCP,
	// TLS or a deadline. The text quotes nothing that the webhook sent, except
	// the names in its certificate.
	OriginConnection
	// OriginResponse is the webhook's response. The text may quote it, and the
	// response may repeat the object: return the error to the client, but do
	// not log it.
	OriginResponse
	// OriginPanic is a panic. Its value may hold the object: do not log it.
	OriginPanic
)

// String returns the origin's name as logs print it.
func (o Origin) String() string {
	names := [...]string{
		OriginHost:       "API server",
		OriginConnection: "connection",
		OriginResponse:   "response",
		OriginPanic:      "panic",
	}
	if o == 0 || int(o) >= len(names) {
		return "unknown"
	}
	return names[o]
}
