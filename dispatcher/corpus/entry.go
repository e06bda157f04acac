package corpus

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// APIVersion is that of every Entry.
	APIVersion = "gatehouse/v1alpha1"
	// Kind is that of every Entry.
	Kind = "RecordedRequest"
)

// Entry is one request of a corpus.
type Entry struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// ID identifies the request within the corpus. Shards, results and
	// differences name requests by it.
	ID string `json:"id"`
	// Time is when the API server received the request; nil if it is not known.
	Time *metav1.MicroTime `json:"time,omitempty"`
	// Source is the source of the entry: see the constants.
	Source Source `json:"source"`
	// Origin is the position within the source, such as an audit ID or
	// FILE:LINE; empty if there is none.
	Origin string `json:"origin,omitempty"`

	// Review is the AdmissionReview in v1, without a response, in the version of
	// the client's request, before the mutating phase.
	Review json.RawMessage `json:"review"`
	// NamespaceLabels are the labels of the request's namespace at that time. It
	// is nil if they are not known, or if the request is not in a namespace.
	NamespaceLabels map[string]string `json:"namespaceLabels,omitempty"`

	// Answers are the answers of the webhooks in the order of the calls; nil if
	// they are not known.
	Answers []Answer `json:"answers,omitempty"`
	// Verdict is the result of the request; nil if it is not known.
	Verdict *Verdict `json:"verdict,omitempty"`
	// Redacted are the JSON pointers of values in Review, Answers and Verdict
	// that are not the original ones.
	Redacted []string `json:"redacted,omitempty"`
}

// Source is the source of an entry.
type Source string

const (
	// FromServe is `gatehouse serve --record`.
	FromServe Source = "serve"
	// FromRun is `gatehouse run --record`.
	FromRun Source = "run"
	// FromPlugin is an API server with plugin.WithRecorder.
	FromPlugin Source = "plugin"
	// FromReview is an AdmissionReview that a webhook has logged.
	FromReview Source = "review"
	// FromAudit is the audit log of an API server.
	FromAudit Source = "audit"
	// FromSuite is a case of a suite.
	FromSuite Source = "suite"
	// FromRequest is a request from a manifest or a request file.
	FromRequest Source = "request"
)

// Answer is the result of one call of a webhook.
type Answer struct {
	// Phase is "mutating" or "validating".
	Phase string `json:"phase"`
	// Configuration and Webhook are the names of the webhook. Configuration is empty
	// if it is not known.
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	// Round is 0, or 1 for a reinvocation.
	Round int `json:"round,omitempty"`
	// URL is the URL of the call, without its query; empty if unknown. A replay
	// uses it to find the answer of a webhook that was renamed.
	URL string `json:"url,omitempty"`
	// Asked is the digest of the review that the webhook received: Asked() of
	// its request. It is empty if unknown.
	Asked string `json:"asked,omitempty"`

	// Outcome is the name of an admission.Outcome, such as "allowed" or
	// "failed open".
	Outcome string `json:"outcome"`
	// Response is the response of the webhook, an AdmissionResponse in v1
	// without its uid; nil if the call failed, or if it was not recorded because
	// the calls of the request had more than 16 MiB.
	Response json.RawMessage `json:"response,omitempty"`
	// Error is the error of a failed call.
	Error string `json:"error,omitempty"`
}

// Verdict is the result of a request.
type Verdict struct {
	Allowed bool `json:"allowed"`
	// Status is the error that the client received; nil if Allowed.
	Status *metav1.Status `json:"status,omitempty"`
	// Object is the object after admission; nil for DELETE, if it is equal to that
	// of the review, or if it is not known, as in an audit log.
	Object           json.RawMessage   `json:"object,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
}
