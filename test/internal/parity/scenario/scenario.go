package scenario

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Scenario is a world and what happens in it.
type Scenario struct {
	// Name is unique among the scenarios of one source. Required.
	Name string `json:"name"`
	// Why is the purpose of the scenario, in one sentence. Required.
	Why string `json:"why"`
	// Covers are the entries of the catalogue that the scenario exercises, such
	// as S-123.
	Covers      []string `json:"covers,omitempty"`
	Environment `json:",inline"`
	// Steps are taken in order, over the same plugins. Required.
	Steps []Step `json:"steps"`
}

// Environment is the state of the host and of the cluster in which the requests
// run.
type Environment struct {
	// Mutating and Validating are the configurations in force. They get the API
	// server's defaults, unless Undefaulted is set.
	Mutating    []registrationv1.MutatingWebhookConfiguration   `json:"mutating,omitempty"`
	Validating  []registrationv1.ValidatingWebhookConfiguration `json:"validating,omitempty"`
	Undefaulted bool                                            `json:"undefaulted,omitempty"`
	// Namespaces are those that the informer knows.
	Namespaces []corev1.Namespace `json:"namespaces,omitempty"`
	// LiveNamespaces are known to the API server only.
	LiveNamespaces []corev1.Namespace `json:"liveNamespaces,omitempty"`
	// Authorizer answers conditions; nil means that the host has none.
	Authorizer *Authorizer `json:"authorizer,omitempty"`
	// Equivalents are resources that are one and the same in several versions
	// or groups; the first group of versions that has a resource counts.
	Equivalents []Equivalent `json:"equivalents,omitempty"`
	// Answers are what the webhooks say, by path. A path without answers is
	// served by the handler of that name of package hook, or else with 404.
	Answers map[string][]Answer `json:"answers,omitempty"`
	// Excluded are resources that the host keeps from webhooks.
	Excluded []schema.GroupResource `json:"excluded,omitempty"`
	// Defaults are what the host's defaulter writes into fields that are not
	// there.
	Defaults []GoValue `json:"defaults,omitempty"`
	// InTree are mutating plugins of the host.
	InTree []InTree `json:"inTree,omitempty"`
}

// Authorizer allows what is listed, and fails for what is listed as failing.
type Authorizer struct {
	// Allowed and Failing are verbs and resources, such as "get pods" or
	// "create deployments.apps/scale"; "*" is everything.
	Allowed []string `json:"allowed,omitempty"`
	Failing []string `json:"failing,omitempty"`
}

// Equivalent is a resource under all its names.
type Equivalent struct {
	// Resources are the names, with the kind that each of them has.
	Resources []EquivalentResource `json:"resources"`
	// Subresource is "" for the resource itself.
	Subresource string `json:"subresource,omitempty"`
}

// EquivalentResource is one name of a resource.
type EquivalentResource struct {
	Resource metav1.GroupVersionResource `json:"resource"`
	Kind     metav1.GroupVersionKind     `json:"kind"`
}

// Step is one request.
type Step struct {
	// Mutating and Validating replace the configurations before the request if
	// they are not nil.
	Mutating   []registrationv1.MutatingWebhookConfiguration   `json:"mutating,omitempty"`
	Validating []registrationv1.ValidatingWebhookConfiguration `json:"validating,omitempty"`
	Request    Request                                         `json:"request"`
	// Want is nil for generated scenarios, whose only expectation is that both
	// sides agree.
	Want *Want `json:"want,omitempty"`
}

// Form is the form in which a host holds an object.
type Form string

const (
	// Internal is a Go type of the group's internal version if the harness
	// knows one, otherwise that of the request's version. The default.
	Internal Form = ""
	// Unstructured is what a host has of custom resources.
	Unstructured Form = "unstructured"
)

// Request is what a host hands to its admission chain.
type Request struct {
	// Operation is CREATE, UPDATE, DELETE or CONNECT. Required.
	Operation string `json:"operation"`
	// Kind and Resource are those of the request. Required.
	Kind        metav1.GroupVersionKind     `json:"kind"`
	Resource    metav1.GroupVersionResource `json:"resource"`
	Subresource string                      `json:"subresource,omitempty"`
	// Namespace and Name are those of the request; an object may say otherwise.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Object and OldObject are in any version that the harness can convert to
	// the form that the host holds. Nil means that there is none.
	Object    *runtime.RawExtension `json:"object,omitempty"`
	OldObject *runtime.RawExtension `json:"oldObject,omitempty"`
	Form      Form                  `json:"form,omitempty"`
	// Options are CreateOptions and the like of meta.k8s.io/v1.
	Options *runtime.RawExtension `json:"options,omitempty"`
	DryRun  bool                  `json:"dryRun,omitempty"`
	// User is the requesting user. Nil means the user "alice" with the groups
	// "users" and "system:authenticated".
	User *authenticationv1.UserInfo `json:"user,omitempty"`
	// Deadline is how long after its start the request's context ends; zero
	// means never, a negative one that it is over at the start.
	Deadline metav1.Duration `json:"deadline,omitempty"`
}

// Want is the expected outcome.
type Want struct {
	// Denied is true if the request ends with an error. Code, if not zero, is
	// its status code, and its text contains each of Message.
	Denied  bool     `json:"denied,omitempty"`
	Code    int32    `json:"code,omitempty"`
	Message []string `json:"message,omitempty"`
	// Object, if any, is contained in the object as admission leaves it: maps
	// may have more keys, unless a value is null, which stands for absence.
	Object *runtime.RawExtension `json:"object,omitempty"`
	// Calls, if not nil, are the paths that were called, in order; those of
	// the validating phase are sorted.
	Calls *[]string `json:"calls,omitempty"`
	// Annotations, if not nil, are all annotations of level Metadata, in the
	// form that audit events have.
	Annotations *map[string]string `json:"annotations,omitempty"`
	// Warnings, if not nil, are all warnings, in any order.
	Warnings *[]string `json:"warnings,omitempty"`
}

// GoValue is a value that JSON cannot hold, or gives back as another.
type GoValue struct {
	// Field is a field at the top of custom resources.
	Field string `json:"field"`
	// Value is "int", "float" (a whole one), "NaN", or "time": with
	// nanoseconds, and also the startTime of a pod's status.
	Value string `json:"value"`
}

// InTree is a mutating plugin that calls no webhook.
type InTree struct {
	// After is true if the plugin comes after the webhooks in the chain.
	After bool `json:"after,omitempty"`
	// SetLabels are set on objects that have the label IfLabel; with no
	// IfLabel on all that have metadata.
	SetLabels map[string]string `json:"setLabels,omitempty"`
	IfLabel   string            `json:"ifLabel,omitempty"`
	// Writes are set on every object, whatever is there.
	Writes []GoValue `json:"writes,omitempty"`
	// PriorityClasses resolve a pod's spec.priorityClassName to spec.priority;
	// an unknown one is an error. Nil means that pods are left alone.
	PriorityClasses map[string]int32 `json:"priorityClasses,omitempty"`
}
