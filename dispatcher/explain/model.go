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

// Document is what tools exchange: explanations in the order of the requests. Its JSON
// Schema is docs/schemas/explanation.v1alpha1.json.
type Document struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind Explanation.
	metav1.TypeMeta `json:",inline"`
	// Items has one entry per request.
	Items []*Explanation `json:"items"`
}

// Explanation is one request: what was asked, every webhook of both phases with why
// it was or was not called and what it did, and who wrote which field.
type Explanation struct {
	Request Request `json:"request"`
	// Allowed reports whether the request was admitted.
	Allowed bool `json:"allowed"`
	// Status is the error that the client receives; absent if Allowed.
	Status *metav1.Status `json:"status,omitempty"`
	// Warnings are what the client is warned of.
	Warnings []string `json:"warnings"`
	// Seconds is how long all of it took; 0 if that is not known.
	Seconds float64 `json:"seconds"`
	// Rounds are the passes through webhooks, in order: mutating round 0, mutating
	// round 1 if there was one, and validating if it came to that.
	Rounds []Round `json:"rounds"`
	// Fields are the leaves of the final object in document order, each with who
	// wrote it. It is empty if calls were not traced, or there is no object.
	Fields []Field `json:"fields"`
	// Removed are the leaves that an earlier state of the object had, and the final
	// one has not.
	Removed []Field `json:"removed"`
	// Fights are the paths that webhooks wrote in turns.
	Fights []Fight `json:"fights"`
	// AuditAnnotations are what the audit event holds, in the order in which they
	// were added.
	AuditAnnotations []Annotation `json:"auditAnnotations"`
	// Metrics are the series that the request changed, and by how much; empty if
	// nobody counted.
	Metrics []Metric `json:"metrics,omitempty"`
	// Object is the object in the end; as far as it had come, if it was denied.
	Object json.RawMessage `json:"object,omitempty"`
	// Redacted says what is not shown, and why; empty if all is.
	Redacted []string `json:"redacted"`
	// Problems say what could not be explained, and why.
	Problems []string `json:"problems"`
}

// Request is what was asked.
type Request struct {
	Operation   string                      `json:"operation"`
	Kind        metav1.GroupVersionKind     `json:"kind"`
	Resource    metav1.GroupVersionResource `json:"resource"`
	Subresource string                      `json:"subresource,omitempty"`
	Namespace   string                      `json:"namespace,omitempty"`
	Name        string                      `json:"name,omitempty"`
	DryRun      bool                        `json:"dryRun,omitempty"`
	User        User                        `json:"user"`
	// Object and OldObject are what was sent, and what is stored.
	Object    json.RawMessage `json:"object,omitempty"`
	OldObject json.RawMessage `json:"oldObject,omitempty"`
	Options   json.RawMessage `json:"options,omitempty"`
}

// User is who asks.
type User struct {
	Name   string   `json:"name"`
	Groups []string `json:"groups,omitempty"`
}

// Round is one pass through the webhooks of a phase.
type Round struct {
	// Phase is "mutating" or "validating".
	Phase string `json:"phase"`
	// Round is 0, or 1 for the reinvocation of mutating webhooks.
	Round int `json:"round"`
	// Cause says why round 1 was begun and by which change; empty for round 0.
	Cause string `json:"cause,omitempty"`
	// Webhooks are all that were considered, in order. Those that the request did not
	// live to see are absent.
	Webhooks []Webhook `json:"webhooks"`
}

// Webhook is one webhook in one round.
type Webhook struct {
	// Configuration and Name name it; UID tells webhooks of equal name apart.
	Configuration string `json:"configuration"`
	Name          string `json:"name"`
	UID           string `json:"uid"`
	// Static says that it comes from a manifest on the server's disk.
	Static bool `json:"static,omitempty"`
	// Position is its place among all webhooks of its phase.
	Position int `json:"position"`

	// Called reports whether it was called.
	Called bool `json:"called"`
	// Stage is the stage that stopped it: "exempt kind", "excluded resource",
	// "namespaceSelector", "objectSelector", "rules", "matchConditions" or
	// "reinvocation"; "matched" if none did.
	Stage string `json:"stage"`
	// Reason says why it was not called, for people; empty if it was.
	Reason string `json:"reason,omitempty"`
	// Hint is the smallest change that would have had it called, for people; empty if
	// it was, or if there is none.
	Hint string `json:"hint,omitempty"`
	// Error is an error while matching, which ended the request.
	Error string `json:"error,omitempty"`

	// Match is the evidence for Stage.
	Match Match `json:"match"`
	// Call is what came of the call; absent if there was none.
	Call *Call `json:"call,omitempty"`
	// Spec is what the webhook asks for.
	Spec Spec `json:"spec"`
}

// Spec is the part of a webhook's configuration that decides whether it is called and
// what its answer means.
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

// Match is what matching saw, as far as it came.
type Match struct {
	// Rule is the index of the rule that matched; -1 if none did, or none was asked.
	Rule int `json:"rule"`
	// Target is the resource as the webhook asked for it: an equivalent one if
	// Equivalent. It is absent until a rule has matched.
	Target     *Target `json:"target,omitempty"`
	Equivalent bool    `json:"equivalent,omitempty"`
	// NamespaceLabels are what the namespaceSelector was compared with; absent if it
	// had not to be.
	NamespaceLabels map[string]string `json:"namespaceLabels,omitempty"`
	// ObjectLabels and OldObjectLabels are what the objectSelector was compared with;
	// absent for an object that is not there or has no metadata.
	ObjectLabels    map[string]string `json:"objectLabels,omitempty"`
	OldObjectLabels map[string]string `json:"oldObjectLabels,omitempty"`
	// RuleMisses says for each rule up to the one that matched which part of it does
	// not match the request's own resource: "scope", "operations", "apiGroups",
	// "apiVersions", "resources", or "matched".
	RuleMisses []string `json:"ruleMisses,omitempty"`
	// Equivalents are the resources that matchPolicy Equivalent had tried.
	Equivalents []metav1.GroupVersionResource `json:"equivalents,omitempty"`
	// Conditions are the matchConditions that were evaluated, in order.
	Conditions []Condition `json:"conditions,omitempty"`
	// ConditionsError says why the conditions could not be evaluated to the end, or
	// what those that failed said; empty if they gave a result.
	ConditionsError string `json:"conditionsError,omitempty"`
}

// Target is a resource and kind in one version.
type Target struct {
	Resource    metav1.GroupVersionResource `json:"resource"`
	Subresource string                      `json:"subresource,omitempty"`
	Kind        metav1.GroupVersionKind     `json:"kind"`
}

// Condition is what one matchCondition gave.
type Condition struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
	// Value is absent if there was an Error.
	Value *bool  `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
	// Cost is the CEL cost that was charged.
	Cost uint64 `json:"cost"`
}

// Call is a call of a webhook.
type Call struct {
	// Index numbers the call in the keys of audit annotations.
	Index         int    `json:"index"`
	UID           string `json:"uid,omitempty"`
	ReviewVersion string `json:"reviewVersion,omitempty"`
	// URL is where the review was sent; empty if it was not. Address is where that
	// led; empty for a handler in the process, or if there was no connection.
	URL     string `json:"url,omitempty"`
	Address string `json:"address,omitempty"`
	// Protocol is for example "HTTP/2.0", and TLS "TLS 1.3, TLS_AES_128_GCM_SHA256,
	// for webhook.ns.svc".
	Protocol string `json:"protocol,omitempty"`
	TLS      string `json:"tls,omitempty"`
	// Reused reports whether the connection was there already.
	Reused bool `json:"reused,omitempty"`
	// StatusCode is the HTTP status; 0 if there was no answer.
	StatusCode int `json:"statusCode,omitempty"`
	// Fault is what answered in place of the webhook; empty if nothing did.
	Fault string `json:"fault,omitempty"`

	// Begin is when the call began, in seconds since the request did.
	Begin float64 `json:"begin"`
	// Seconds is how long it took, from its beginning to the patched object.
	Seconds float64 `json:"seconds"`
	// Timing divides Seconds up; absent if the call was not traced.
	Timing *Timing `json:"timing,omitempty"`

	// Outcome is "allowed", "rejected", "failed closed", "failed open", "canceled",
	// "internal error" or "panicked".
	Outcome string `json:"outcome"`
	// Code is the status code that metrics report.
	Code int `json:"code"`
	// Error says what went wrong, or why the webhook said no.
	Error string `json:"error,omitempty"`
	// Policy says what failurePolicy made of a failure; empty if nothing failed.
	Policy string `json:"policy,omitempty"`

	// Mutated reports whether the patch changed the object.
	Mutated bool `json:"mutated"`
	// Patch is the JSON patch that was applied.
	Patch []Operation `json:"patch,omitempty"`
	// Changes are what the patch changed, and Defaulted what defaults added to it, in
	// the version that the webhook was shown.
	Changes   []Change `json:"changes,omitempty"`
	Defaulted []Change `json:"defaulted,omitempty"`

	// Warnings and AuditAnnotations are the webhook's own; Dropped says how many were
	// beyond the limits.
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
	Dropped          int               `json:"dropped,omitempty"`

	// Request and Response are the bodies that were exchanged: JSON, or a string if
	// what came is none. They are absent unless they were asked for (WithBodies).
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
}

// Timing is where the time of an exchange went, in seconds.
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

// Change is a leaf, or a whole part, of an object that was added, removed or replaced.
type Change struct {
	// Path is for example spec.containers[0].image; see Path. It is the path after the
	// change, and before it for what was removed.
	Path string `json:"path"`
	// Op is "add", "remove" or "replace", or "move" for an item of a list that is in
	// another order than the others; what was changed in it, if anything, are changes
	// of their own.
	Op string `json:"op"`
	// From is the path of what was moved, before the change.
	From string `json:"from,omitempty"`
	// Old and New are the values; absent where there is none.
	Old json.RawMessage `json:"old,omitempty"`
	New json.RawMessage `json:"new,omitempty"`
}

// Writer is who wrote a field.
type Writer struct {
	// By is "stored" for what an update left as it was, "user", "webhook",
	// "defaulting", "conversion" or "server".
	By string `json:"by"`
	// Webhook, Configuration and Round name the webhook, and Index is that of its
	// call. For defaulting they name the webhook after whose patch it was.
	Webhook       string `json:"webhook,omitempty"`
	Configuration string `json:"configuration,omitempty"`
	Round         int    `json:"round,omitempty"`
	Index         int    `json:"index,omitempty"`
	// Through is the kind in which the webhook wrote, if it is another one than the
	// object's: it then is the field that the conversion made of what was written.
	Through *metav1.GroupVersionKind `json:"through,omitempty"`
}

// Write is one value of a field, and who wrote it. A field that was removed for a while
// has no value there.
type Write struct {
	Writer Writer          `json:"writer"`
	Value  json.RawMessage `json:"value,omitempty"`
}

// Field is a leaf of the object: a string, number, boolean or null, or a list or map
// that is empty.
type Field struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
	// Writer is who wrote it last, or removed it.
	Writer Writer `json:"writer"`
	// Earlier are the values that were overwritten, oldest first.
	Earlier []Write `json:"earlier,omitempty"`
}

// Fight is a path that webhooks wrote in turns: one wrote what another had written
// over what it had written itself.
type Fight struct {
	Path string `json:"path"`
	// Writes are all of its values in order, of which at least two are by the same
	// webhook with another in between.
	Writes []Write `json:"writes"`
}

// Annotation is an audit annotation.
type Annotation struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	// Level is the audit level from which on it is written.
	Level string `json:"level"`
}

// Metric is a series of a counter, or of a histogram's count, that has changed.
type Metric struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	Delta  float64           `json:"delta"`
}

// State is an object at one moment on its way, for Blame.
type State struct {
	// Kind is the kind and version that Object is in.
	Kind schema.GroupVersionKind
	// Object is its JSON.
	Object json.RawMessage
	// By is who made it of the state before.
	By Writer
}
