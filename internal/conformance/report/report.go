package report

import "encoding/json"

// The version and the kind of reports.
const (
	APIVersion = "gatehouse/v1alpha1"
	Kind       = "ConformanceReport"
)

// Report is the result of one run.
type Report struct {
	// APIVersion and Kind are the constants of these names.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Webhooks are the webhooks under test, in call order.
	Webhooks []Webhook `json:"webhooks"`
	// Checks are the checks of this run, in order.
	Checks []Check `json:"checks"`
	// Results are ordered by check, then by webhook.
	Results []Result `json:"results"`
}

// Webhook is one webhook under test.
type Webhook struct {
	// Name is CONFIGURATION/WEBHOOK, with the phase appended if webhooks of
	// both phases have that name.
	Name string `json:"name"`
	// Phase is mutating or validating.
	Phase string `json:"phase"`
	// URL is the configured address.
	URL string `json:"url,omitempty"`
	// Samples are the names of the requests that match it.
	Samples []string `json:"samples,omitempty"`
	// Problem is the reason why the webhook could not be checked; empty if it
	// was checked. With a Problem, all its results are skips.
	Problem string `json:"problem,omitempty"`
	// NotReached is true if the run may not connect to the webhook.
	NotReached bool `json:"notReached,omitempty"`
	// Hint is the remedy for the Problem, if it is known.
	Hint string `json:"hint,omitempty"`
}

// Result is the result of one check.
type Result struct {
	// Check is the ID of the check.
	Check string `json:"check"`
	// Webhook is the name of the webhook; empty if the check covers all
	// webhooks.
	Webhook string `json:"webhook,omitempty"`
	// Also are further webhooks of the same server with the same findings, which
	// Merged does not repeat.
	Also []string `json:"also,omitempty"`
	// Verdict is the result of the check.
	Verdict Verdict `json:"verdict"`
	// Message is the reason of a skip or, otherwise, a measurement.
	Message string `json:"message,omitempty"`
	// Findings are the problems. The verdict is Fail if and only if there are some.
	Findings []Finding `json:"findings,omitempty"`
	// More is the number of findings that were dropped.
	More int `json:"more,omitempty"`
	// Rest are these findings, without evidence. They are not in the JSON form.
	Rest []Finding `json:"-"`
}

// Finding is one problem.
type Finding struct {
	// Sample is the name of the request; empty if the request is not a sample.
	Sample string `json:"sample,omitempty"`
	// Message describes the problem.
	Message string `json:"message"`
	// Level is the severity of this problem if it is lower than that of the
	// check.
	Level Level `json:"level,omitempty"`
	// Known describes the property of a library that is the cause; empty if none
	// is known.
	Known string `json:"known,omitempty"`
	// Accepted is true if the problem is in the baseline. It then fails no
	// check.
	Accepted bool `json:"accepted,omitempty"`
	// Paths are the affected fields of the object, if any.
	Paths []string `json:"paths,omitempty"`
	// Evidence are the exchanges that show it, in order.
	Evidence []Exchange `json:"evidence,omitempty"`
}

// Exchange is one request to a webhook, with its response.
type Exchange struct {
	// Method and URL are those of the request.
	Method string `json:"method"`
	URL    string `json:"url"`
	// Request is its body: JSON, or a JSON string if it was not JSON or was
	// truncated.
	Request json.RawMessage `json:"request,omitempty"`
	// RequestType is the Content-Type of the request if it is not
	// application/json; "-" if it had none.
	RequestType string `json:"requestType,omitempty"`
	// Status is the HTTP status; 0 if there was no response.
	Status int `json:"status,omitempty"`
	// ContentType is the Content-Type of the response.
	ContentType string `json:"contentType,omitempty"`
	// Response is its body, in the form of Request.
	Response json.RawMessage `json:"response,omitempty"`
	// Error is the reason for a missing or incomplete response.
	Error string `json:"error,omitempty"`
	// Milliseconds is the duration of the exchange.
	Milliseconds float64 `json:"milliseconds"`
}
