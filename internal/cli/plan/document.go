package plan

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Kind is the kind of a Plan.
const Kind = "AdmissionPlan"

// Plan is the one document that `gatehouse plan -o json` and `-o yaml` print.
// docs/schemas/admissionplan.v1alpha1.json is its schema.
type Plan struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind AdmissionPlan.
	metav1.TypeMeta `json:",inline"`
	// Items has one entry per request, in the order of the inputs.
	Items []Item `json:"items"`
}

// Item is the plan of one request.
type Item struct {
	// Operation is CREATE, UPDATE, DELETE or CONNECT.
	Operation string `json:"operation"`
	// APIVersion and Kind are those of the object that is sent.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Resource is the endpoint, as plural.group. Subresource is absent for the
	// resource itself.
	Resource    string `json:"resource"`
	Subresource string `json:"subresource,omitempty"`
	// Namespace is absent for cluster-scoped objects, Name if there is none.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// User is the name of the user.
	User string `json:"user"`

	// Allowed reports whether the request would be admitted if every webhook
	// without a fault allowed it. Message is the error otherwise.
	Allowed bool   `json:"allowed"`
	Message string `json:"message,omitempty"`
	// Visits are the calls that the API server would make, in order.
	Visits []Visit `json:"visits"`
	// NotVisited are the other webhooks.
	NotVisited []NotVisited `json:"notVisited"`
}

// Name identifies a webhook.
type Name struct {
	// Phase is "mutating" or "validating".
	Phase string `json:"phase"`
	// Configuration is the metadata.name of its configuration.
	Configuration string `json:"configuration"`
	// Webhook is its own name.
	Webhook string `json:"webhook"`
}

// Visit is one call.
type Visit struct {
	Name `json:",inline"`
	// Round is 0, or 1 for a reinvocation.
	Round int `json:"round"`
	// Order numbers the calls from 1. Calls with the same number are made at
	// the same time.
	Order int `json:"order"`
	// TimeoutSeconds and FailurePolicy are those of the webhook.
	TimeoutSeconds int32  `json:"timeoutSeconds"`
	FailurePolicy  string `json:"failurePolicy"`
	// Again reports whether the API server would call the webhook again, in
	// round 1, if a later one changed the object.
	Again bool `json:"again,omitempty"`
	// Fault is the injected fault, and Outcome how the call ends with it; absent
	// without a fault.
	Fault   string `json:"fault,omitempty"`
	Outcome string `json:"outcome,omitempty"`
}

// NotVisited is a webhook that the API server would not call.
type NotVisited struct {
	Name `json:",inline"`
	// Stage is the stage of matching that excludes it, as in an explanation;
	// "ended" if the request ends before.
	Stage string `json:"stage"`
	// Reason says why, and Hint what would make it match; absent if nothing is
	// known.
	Reason string `json:"reason"`
	Hint   string `json:"hint,omitempty"`
}
