package report

import "encoding/json"

// The version and the kind of reports.
const (
	APIVersion = "gatehouse/v1alpha1"
	Kind       = "ConformanceReport"
)

// Report is what one run found.
type Report struct {
	// APIVersion and Kind are the constants of these names.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Webhooks are those that were looked at, in the order in which requests visit
	// them.
	Webhooks []Webhook `json:"webhooks"`
	// Checks are those that were run, in their order.
	Checks []Check `json:"checks"`
	// Results has those of each check together, in the order of Checks and, within,
	// of Webhooks.
	Results []Result `json:"results"`
}

// Webhook is one that was looked at.
type Webhook struct {
	// Name is CONFIGURATION/WEBHOOK, with the phase behind it if webhooks of both phases
	// would be called that.
	Name string `json:"name"`
	// Phase is mutating or validating.
	Phase string `json:"phase"`
	// URL is where it was reached, as it is configured.
	URL string `json:"url,omitempty"`
	// Samples name the requests that visit it.
	Samples []string `json:"samples,omitempty"`
	// Problem says why it could not be looked at; empty if it could. Its results are
	// skips then.
	Problem string `json:"problem,omitempty"`
}

// Result is what one check found.
type Result struct {
	// Check is the ID of the check.
	Check string `json:"check"`
	// Webhook is the name of the webhook; empty if the check is about all of them.
	Webhook string `json:"webhook,omitempty"`
	// Verdict says what came of it.
	Verdict Verdict `json:"verdict"`
	// Message says why there was nothing to look at or, otherwise, what was measured.
	Message string `json:"message,omitempty"`
	// Findings are what is wrong. There are some exactly if the verdict is Fail.
	Findings []Finding `json:"findings,omitempty"`
	// More is how many findings there are besides, of the same kind.
	More int `json:"more,omitempty"`
}

// Finding is one thing that is wrong.
type Finding struct {
	// Sample names the request with which it was found; empty if it was not a sample.
	Sample string `json:"sample,omitempty"`
	// Message says what is wrong.
	Message string `json:"message"`
	// Paths are where in the object it is, if it is anywhere.
	Paths []string `json:"paths,omitempty"`
	// Evidence are the exchanges that show it, in order.
	Evidence []Exchange `json:"evidence,omitempty"`
}

// Exchange is one request to a webhook and what came back.
type Exchange struct {
	// Method and URL are those of the request.
	Method string `json:"method"`
	URL    string `json:"url"`
	// Request is its body: JSON, or a JSON string if it was none or was cut.
	Request json.RawMessage `json:"request,omitempty"`
	// RequestType is the Content-Type of the request if that was not application/json,
	// and "-" if it had none.
	RequestType string `json:"requestType,omitempty"`
	// Status is the HTTP status of the answer; 0 if there was none.
	Status int `json:"status,omitempty"`
	// ContentType is that of the answer.
	ContentType string `json:"contentType,omitempty"`
	// Response is its body, as Request is.
	Response json.RawMessage `json:"response,omitempty"`
	// Error says why there is no answer, or not the whole of it.
	Error string `json:"error,omitempty"`
	// Milliseconds is how long it took.
	Milliseconds float64 `json:"milliseconds"`
}
