package replay

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Result is how a request of a corpus ended. It has no times, uids or other
// values that differ from run to run, so that equal results are equal bytes.
type Result struct {
	// ID is that of the entry.
	ID string `json:"id"`
	// Request describes the request, such as "CREATE pods/web in shop by alice".
	Request string `json:"request"`
	// Redacted says that the entry has values that are not the original ones, which
	// the webhooks and policies may have seen.
	Redacted bool `json:"redacted,omitempty"`
	// Error is why the request could not be simulated, such as an unknown kind;
	// the fields below are zero then.
	Error string `json:"error,omitempty"`

	Allowed bool `json:"allowed"`
	// Undecided says that the verdict depends on a webhook that was not
	// reached, or whose answer was not recorded.
	Undecided bool `json:"undecided,omitempty"`
	// Status is the error that the client receives; nil if Allowed.
	Status *metav1.Status `json:"status,omitempty"`
	// Calls are the calls in their order.
	Calls []Call `json:"calls,omitempty"`
	// Policies are the policies that were evaluated, in their order.
	Policies []Policy `json:"policies,omitempty"`
	// Object is the object after admission, redacted as the corpus is; nil for
	// DELETE.
	Object           json.RawMessage   `json:"object,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
}

// Call is one call of a webhook.
type Call struct {
	// Phase is "mutating" or "validating".
	Phase         string `json:"phase"`
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	Round         int    `json:"round,omitempty"`
	// Outcome is that of explain.Call.
	Outcome string `json:"outcome"`
	Code    int    `json:"code"`
	Error   string `json:"error,omitempty"`
	// Patch is the patch that was applied; nil if the object did not change.
	Patch json.RawMessage `json:"patch,omitempty"`
	// Assumed says that the answer was recorded for another object than the one
	// that the webhook would have received now.
	Assumed bool `json:"assumed,omitempty"`
}

// Policy is one evaluation of a policy with one of its bindings and params.
type Policy struct {
	// Phase is "mutating" or "validating".
	Phase   string `json:"phase"`
	Policy  string `json:"policy"`
	Binding string `json:"binding,omitempty"`
	Param   string `json:"param,omitempty"`
	Round   int    `json:"round,omitempty"`
	// Outcome says what the evaluation gave: "passed", "failed", "error",
	// "mutated", "unchanged" or "skipped".
	Outcome string `json:"outcome"`
	// Messages are those of failed validations, or the error.
	Messages []string `json:"messages,omitempty"`
}
