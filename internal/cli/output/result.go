package output

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const resultKind = "RunResult"

// RunResult is the one document that `gatehouse run -o json` prints.
type RunResult struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind RunResult.
	metav1.TypeMeta `json:",inline"`
	// Items has one entry per request, in the order of the inputs.
	Items []RunItem `json:"items"`
}

// RunItem is the result of one request.
type RunItem struct {
	// APIVersion and Kind are those of the object that is sent; it need not be
	// in the output.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Resource is the endpoint, as plural.group, for example
	// "deployments.apps".
	Resource string `json:"resource"`
	// Subresource is for example "scale"; absent for the resource itself.
	Subresource string `json:"subresource,omitempty"`
	// Namespace is the namespace of the request, which for a Namespace is its
	// own name. It is absent for cluster-scoped objects.
	Namespace string `json:"namespace,omitempty"`
	// Name may have been generated; it is absent if there is none.
	Name string `json:"name,omitempty"`
	// Operation is CREATE, UPDATE, DELETE or CONNECT.
	Operation string `json:"operation"`

	// Allowed reports whether the object was admitted.
	Allowed bool `json:"allowed"`
	// Undecided reports that the verdict is not known, because a webhook was
	// not reached. Allowed and Status are then what its failurePolicy made of
	// the request.
	Undecided bool `json:"undecided,omitempty"`
	// Status is the error that a client would receive. It is absent if Allowed.
	Status *metav1.Status `json:"status,omitempty"`
	// DeniedBy names the part of an API server that denied the request, such as
	// the schema of a CustomResourceDefinition. It is absent if a webhook did.
	DeniedBy string `json:"deniedBy,omitempty"`
	// Warnings are the warnings that a client would receive, without
	// repetitions.
	Warnings []string `json:"warnings"`
	// Calls are the calls of webhooks, in order.
	Calls []RunCall `json:"calls"`
	// Skipped are the webhooks that were considered and not called, in order.
	// If the request ends earlier, later webhooks are in neither list.
	Skipped []RunSkip `json:"skipped"`
	// AuditAnnotations are those that the audit event would have.
	AuditAnnotations map[string]string `json:"auditAnnotations"`
	// Object is the object as it would be stored or, if it was denied, with
	// the changes so far. It is absent for DELETE.
	Object runtime.Object `json:"object,omitempty"`
}

// RunWebhook names a webhook, in one of its two phases.
type RunWebhook struct {
	// Phase is "mutating" or "validating".
	Phase string `json:"phase"`
	// Configuration is the metadata.name of its configuration.
	Configuration string `json:"configuration"`
	// Webhook is its own name.
	Webhook string `json:"webhook"`
	// Round is 0, or 1 for what belongs to a reinvocation.
	Round int `json:"round"`
}

// RunCall is one call of a webhook.
type RunCall struct {
	RunWebhook `json:",inline"`
	// Index is the number of the call in the keys of audit annotations.
	Index int `json:"index"`
	// URL is where the review was sent; absent if it was not sent.
	URL string `json:"url,omitempty"`
	// Fault is the fault that replaced the webhook: its name, or
	// @FILE. It is absent if the webhook itself was called.
	Fault string `json:"fault,omitempty"`
	// Seconds is how long the call took.
	Seconds float64 `json:"seconds"`
	// Outcome is "allowed", "rejected", "failed closed", "failed open",
	// "canceled", "internal error" or "panicked"; or "not reached" if the
	// command may not connect to the webhook.
	Outcome string `json:"outcome"`
	// Code is the status code that metrics report: the webhook's own when it
	// rejected, 0 for an internal error.
	Code int `json:"code"`
	// Error is the failure of the call, or the webhook's reason for a
	// rejection.
	Error string `json:"error,omitempty"`
	// Hint is the likely cause of the failure and the remedy, if they are known.
	Hint string `json:"hint,omitempty"`
	// Mutated reports whether the webhook changed the object.
	Mutated bool `json:"mutated"`
	// Patch is the JSON patch that was applied, if any.
	Patch json.RawMessage `json:"patch,omitempty"`
	// Warnings are the webhook's own, with repetitions.
	Warnings []string `json:"warnings,omitempty"`
	// AuditAnnotations are the webhook's own, as it sent them.
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
}

// RunSkip is a webhook that was not called.
type RunSkip struct {
	RunWebhook `json:",inline"`
	// Stage is the stage that excluded it: "exempt kind", "excluded resource",
	// "namespaceSelector", "objectSelector", "rules", "matchConditions" or
	// "reinvocation".
	Stage string `json:"stage"`
	// Reason is the reason, for people.
	Reason string `json:"reason"`
}
