package explain

import (
	"encoding/json"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The apiVersion and kind of a Document.
const (
	APIVersion = "gatehouse/v1alpha1"
	Kind       = "Explanation"
)

// Document is the file format in which tools exchange explanations. Its JSON
// Schema is docs/schemas/explanation.v1alpha1.json.
type Document struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind Explanation.
	metav1.TypeMeta `json:",inline"`
	// Items has one Explanation per request, in the order of the requests.
	Items []*Explanation `json:"items"`
}

// Explanation describes one request: its attributes, every webhook of both
// phases with the reason why it was or was not called and the effect of its
// call, and the writer of each field.
type Explanation struct {
	Request Request `json:"request"`
	// Allowed reports whether the request was admitted.
	Allowed bool `json:"allowed"`
	// Undecided reports that the verdict is unknown, because a webhook was not
	// reached; see the option NotReached. Allowed and Status are then the
	// result of its failurePolicy.
	Undecided bool `json:"undecided,omitempty"`
	// Status is the error that the user receives; nil if Allowed.
	Status *metav1.Status `json:"status,omitempty"`
	// DeniedBy names the part of the API server that denied the request, such
	// as the schema of a CustomResourceDefinition; empty if a webhook denied
	// it, or if it was allowed. See Denier.
	DeniedBy string `json:"deniedBy,omitempty"`
	// Warnings are the warnings that the user receives.
	Warnings []string `json:"warnings"`
	// Seconds is the duration of the request; 0 if unknown.
	Seconds float64 `json:"seconds"`
	// Rounds are in the order of execution: mutating round 0, mutating round 1
	// if there was a reinvocation, and validating if the request reached that
	// phase.
	Rounds []Round `json:"rounds"`
	// Fields are the leaves of the final object in document order, with their
	// writers. Empty fields that Go adds to every object of a type when it encodes
	// it, such as "status: {}", are absent. The list is empty if calls were not
	// traced or the request has no object.
	Fields []Field `json:"fields"`
	// Removed are leaves of earlier states that the final object does not have.
	Removed []Field `json:"removed"`
	// Fights are the paths that webhooks overwrote alternately.
	Fights []Fight `json:"fights"`
	// AuditAnnotations are the annotations of the audit event, in the order of
	// addition.
	AuditAnnotations []Annotation `json:"auditAnnotations"`
	// Metrics are the series that the request changed; empty without the option
	// Metrics.
	Metrics []Metric `json:"metrics,omitempty"`
	// Object is the final object. For a denied request it is the last known
	// state.
	Object json.RawMessage `json:"object,omitempty"`
	// Redacted lists the values that a placeholder replaces, and why.
	Redacted []string `json:"redacted"`
	// Problems lists the parts that could not be explained, and why.
	Problems []string `json:"problems"`
}

// Request holds the attributes of the request.
type Request struct {
	Operation   string                      `json:"operation"`
	Kind        metav1.GroupVersionKind     `json:"kind"`
	Resource    metav1.GroupVersionResource `json:"resource"`
	Subresource string                      `json:"subresource,omitempty"`
	Namespace   string                      `json:"namespace,omitempty"`
	Name        string                      `json:"name,omitempty"`
	DryRun      bool                        `json:"dryRun,omitempty"`
	User        User                        `json:"user"`
	// Object is the object that the user sent, OldObject the stored one.
	Object    json.RawMessage `json:"object,omitempty"`
	OldObject json.RawMessage `json:"oldObject,omitempty"`
	Options   json.RawMessage `json:"options,omitempty"`
}

// User is the user who sent the request.
type User struct {
	Name   string   `json:"name"`
	Groups []string `json:"groups,omitempty"`
}

// Round is one run through the webhooks of a phase.
type Round struct {
	// Phase is "mutating" or "validating".
	Phase string `json:"phase"`
	// Round is 0, or 1 for the reinvocation of mutating webhooks.
	Round int `json:"round"`
	// Cause says which change started round 1; empty for round 0.
	Cause string `json:"cause,omitempty"`
	// Policies are the policies of the phase, in order. They come before the
	// webhooks.
	Policies []Policy `json:"policies,omitempty"`
	// Webhooks are the webhooks that were considered, in order. Webhooks that
	// come after the one that ended the request are absent.
	Webhooks []Webhook `json:"webhooks"`
}

// Webhook describes one webhook in one round.
type Webhook struct {
	// Configuration and Name identify the webhook; UID distinguishes webhooks
	// with equal names.
	Configuration string `json:"configuration"`
	Name          string `json:"name"`
	UID           string `json:"uid"`
	// Static reports whether the webhook comes from a manifest on the server's
	// disk.
	Static bool `json:"static,omitempty"`
	// Position is the webhook's index among all webhooks of its phase.
	Position int `json:"position"`

	// Called reports whether the webhook was called.
	Called bool `json:"called"`
	// Stage is the stage that excluded the webhook: "exempt kind", "excluded
	// resource", "namespaceSelector", "objectSelector", "rules",
	// "matchConditions" or "reinvocation"; "matched" if no stage did.
	Stage string `json:"stage"`
	// Reason is why the webhook was not called; empty if it was.
	Reason string `json:"reason,omitempty"`
	// Hint is the smallest change with which the webhook would have been
	// called; empty if it was called, or if no such change is known.
	Hint string `json:"hint,omitempty"`
	// Error is the error of matching, which ended the request.
	Error string `json:"error,omitempty"`

	// Match is the evidence for Stage.
	Match Match `json:"match"`
	// Call describes the call; nil if the webhook was not called.
	Call *Call `json:"call,omitempty"`
	// Spec is the part of the webhook's configuration that matching and calls
	// depend on.
	Spec Spec `json:"spec"`
}

// Spec is the part of a webhook's configuration that decides whether the
// webhook is called and how the API server handles its response.
type Spec struct {
	Rules              []registrationv1.RuleWithOperations `json:"rules,omitempty"`
	MatchPolicy        string                              `json:"matchPolicy,omitempty"`
	NamespaceSelector  *metav1.LabelSelector               `json:"namespaceSelector,omitempty"`
	ObjectSelector     *metav1.LabelSelector               `json:"objectSelector,omitempty"`
	MatchConditions    []registrationv1.MatchCondition     `json:"matchConditions,omitempty"`
	FailurePolicy      string                              `json:"failurePolicy,omitempty"`
	SideEffects        string                              `json:"sideEffects,omitempty"`
	ReinvocationPolicy string                              `json:"reinvocationPolicy,omitempty"`
	TimeoutSeconds     int32                               `json:"timeoutSeconds,omitempty"`
}

// Match is the evidence of matching, up to the stage that excluded the webhook.
type Match struct {
	// Rule is the index of the rule that matched; -1 if none did or rules were
	// not evaluated.
	Rule int `json:"rule"`
	// Target is the resource and kind in which the webhook receives the
	// request; an equivalent resource if Equivalent. It is nil until a rule has
	// matched.
	Target     *Target `json:"target,omitempty"`
	Equivalent bool    `json:"equivalent,omitempty"`
	// NamespaceLabels are the labels that the namespaceSelector was evaluated
	// against; nil if the selector was not evaluated.
	NamespaceLabels map[string]string `json:"namespaceLabels,omitempty"`
	// ObjectLabels and OldObjectLabels are the labels that the objectSelector
	// was evaluated against; nil if there is no such object or it has no
	// metadata.
	ObjectLabels    map[string]string `json:"objectLabels,omitempty"`
	OldObjectLabels map[string]string `json:"oldObjectLabels,omitempty"`
	// RuleMisses has, for each rule up to the one that matched, the first part
	// that does not match the request's own resource: "scope", "operations",
	// "apiGroups", "apiVersions" or "resources"; or "matched".
	RuleMisses []string `json:"ruleMisses,omitempty"`
	// Equivalents are the equivalent resources that matchPolicy Equivalent
	// tried.
	Equivalents []metav1.GroupVersionResource `json:"equivalents,omitempty"`
	// Conditions are the results of the evaluated matchConditions, in order.
	Conditions []Condition `json:"conditions,omitempty"`
	// ConditionsError is the error of the matchConditions as a whole; empty if
	// they had a result.
	ConditionsError string `json:"conditionsError,omitempty"`
}

// Target is a resource and its kind in one version.
type Target struct {
	Resource    metav1.GroupVersionResource `json:"resource"`
	Subresource string                      `json:"subresource,omitempty"`
	Kind        metav1.GroupVersionKind     `json:"kind"`
}

// Condition is the result of one matchCondition.
type Condition struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
	// Value is nil if Error is set.
	Value *bool  `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
	// Cost is the CEL cost of the evaluation.
	Cost uint64 `json:"cost"`
}

// Call describes one call of a webhook.
type Call struct {
	// Index is the number of the call in the keys of audit annotations.
	Index         int    `json:"index"`
	UID           string `json:"uid,omitempty"`
	ReviewVersion string `json:"reviewVersion,omitempty"`
	// URL is the address that the review was sent to; empty if it was not sent.
	// Address is the remote address of the connection; empty for in-process
	// handlers, or without a connection.
	URL     string `json:"url,omitempty"`
	Address string `json:"address,omitempty"`
	// Protocol is for example "HTTP/2.0", and TLS "TLS 1.3,
	// TLS_AES_128_GCM_SHA256, for webhook.ns.svc".
	Protocol string `json:"protocol,omitempty"`
	TLS      string `json:"tls,omitempty"`
	// Reused reports whether the connection was reused.
	Reused bool `json:"reused,omitempty"`
	// StatusCode is the HTTP status code; 0 without a response.
	StatusCode int `json:"statusCode,omitempty"`
	// Fault names the injected fault that answered instead of the webhook;
	// empty if there was none.
	Fault string `json:"fault,omitempty"`

	// Begin is the start of the call in seconds since the start of the request.
	Begin float64 `json:"begin"`
	// Seconds is the duration of the call, including the application of the
	// patch; 0 if unknown.
	Seconds float64 `json:"seconds"`
	// Timing splits Seconds; nil if the call was not traced.
	Timing *Timing `json:"timing,omitempty"`

	// Outcome is "allowed", "rejected", "failed closed", "failed open",
	// "canceled", "internal error" or "panicked"; or "not reached", with the
	// option NotReached.
	Outcome string `json:"outcome"`
	// Code is the status code that the metrics report.
	Code int `json:"code"`
	// Error is the failure, or the webhook's message if it denied the request.
	Error string `json:"error,omitempty"`
	// Hint is the likely cause of the failure and the remedy; empty if nothing
	// failed, or if no cause is known.
	Hint string `json:"hint,omitempty"`
	// Policy describes the effect of failurePolicy; empty if nothing failed.
	Policy string `json:"policy,omitempty"`

	// Mutated reports whether the patch changed the object.
	Mutated bool `json:"mutated"`
	// Patch is the JSON patch that was applied.
	Patch []Operation `json:"patch,omitempty"`
	// Changes are the changes of the patch, and Defaulted those of the
	// defaulting after it, in the version that the webhook received.
	Changes   []Change `json:"changes,omitempty"`
	Defaulted []Change `json:"defaulted,omitempty"`

	// Warnings and AuditAnnotations are those that the webhook returned.
	// Dropped is the number of those that exceeded the limits.
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
	Dropped          int               `json:"dropped,omitempty"`

	// Request and Response are the bodies: JSON, or a JSON string if a body is
	// not JSON. They are absent without the option WithBodies.
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
}

// Timing is the time that each part of an exchange took, in seconds.
type Timing struct {
	Connect float64 `json:"connect"`
	TLS     float64 `json:"tls"`
	Wait    float64 `json:"wait"`
	Read    float64 `json:"read"`
}

// Operation is one operation of a JSON patch.
type Operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	From  string          `json:"from,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
}

// Change is a leaf, or a whole part, of an object that was added, removed,
// replaced or moved.
type Change struct {
	// Path is for example spec.containers[0].image; see type Path. It is the
	// path after the change; for "remove", the path before it.
	Path string `json:"path"`
	// Op is "add", "remove", "replace" or "move". "move" stands for a list item
	// whose order relative to the others changed; changes within the item are
	// listed separately.
	Op string `json:"op"`
	// From is the path before a "move".
	From string `json:"from,omitempty"`
	// Old and New are the values before and after the change; nil where there
	// is none.
	Old json.RawMessage `json:"old,omitempty"`
	New json.RawMessage `json:"new,omitempty"`
}

// Writer identifies what wrote a field.
type Writer struct {
	// By is "stored" for fields that an update left unchanged, "user",
	// "policy", "webhook", "defaulting", "conversion" or "server".
	By string `json:"by"`
	// Webhook, Configuration and Round identify the webhook, and Index its
	// call. For "defaulting" they identify the webhook whose patch was
	// defaulted.
	Webhook       string `json:"webhook,omitempty"`
	Configuration string `json:"configuration,omitempty"`
	// Policy and Binding identify the policy, in place of a webhook; Index is then
	// the position of its mutation.
	Policy  string `json:"policy,omitempty"`
	Binding string `json:"binding,omitempty"`
	Round   int    `json:"round,omitempty"`
	Index   int    `json:"index,omitempty"`
	// Through is the kind in which the webhook received the object, if it is
	// not the object's own. The field is then the result of converting the
	// webhook's change back.
	Through *metav1.GroupVersionKind `json:"through,omitempty"`
}

// Write is one value of a field with its writer. Value is nil while the field
// was absent.
type Write struct {
	Writer Writer          `json:"writer"`
	Value  json.RawMessage `json:"value,omitempty"`
}

// Field is a leaf of an object: a string, number, boolean or null, or an empty
// list or map.
type Field struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
	// Writer is the last writer, or the one that removed the field.
	Writer Writer `json:"writer"`
	// Earlier are the overwritten values, oldest first.
	Earlier []Write `json:"earlier,omitempty"`
}

// Fight is a path that webhooks overwrote alternately: a webhook wrote it,
// another one overwrote it, and the first one wrote it again.
type Fight struct {
	Path string `json:"path"`
	// Writes are all values of the path in order. At least two are by the same
	// webhook, with another webhook's between them.
	Writes []Write `json:"writes"`
}

// The values of Writer.By.
const (
	ByStored     = "stored"
	ByUser       = "user"
	ByPolicy     = "policy"
	ByWebhook    = "webhook"
	ByDefaulting = "defaulting"
	ByConversion = "conversion"
	ByServer     = "server"
)

// The phases; see Round.Phase.
const (
	mutating   = "mutating"
	validating = "validating"
)

// State is the object at one point of the request, as input of Blame.
type State struct {
	// Kind is the kind and version that Object is in.
	Kind schema.GroupVersionKind
	// Object is its JSON.
	Object json.RawMessage
	// By is the writer that created this state from the previous one.
	By Writer
}
