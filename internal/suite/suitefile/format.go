package suitefile

import (
	"encoding/json"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AdmissionTest is a suite as it is written in a file, with the apiVersion
// gatehouse/v1alpha1: what a cluster is like, which requests are made in it, and what is
// expected of each. Paths in it are relative to the folder of the file.
type AdmissionTest struct {
	metav1.TypeMeta `json:""`

	// Name is how results call the suite. Default: the name of the file without its
	// ending. Suites that are run together have different names.
	Name string `json:"name,omitempty"`

	// Configurations say what the cluster is like: each is the path of a file or folder,
	// or an object. Webhook configurations, CustomResourceDefinitions, Namespaces and
	// RBAC objects; others are an error, or a remark if they came out of a folder, which
	// may hold all that is deployed. At least one webhook has to be among them.
	Configurations []json.RawMessage `json:"configurations"`
	// Namespaces are those of the cluster, in short. Requests may go to others, which
	// are taken to exist, with no labels of their own.
	Namespaces []Namespace `json:"namespaces,omitempty"`
	// Authorizer answers matchConditions that ask the authorizer: "allow" or "deny".
	// Default: the RBAC objects among the configurations, or else "deny".
	Authorizer string `json:"authorizer,omitempty"`

	// Webhooks say where the webhooks are. Default: where their configurations say.
	Webhooks []Webhook `json:"webhooks,omitempty"`
	// Serial has one case after the other make its request, for webhooks that remember.
	// Default: several at once.
	Serial bool `json:"serial,omitempty"`

	// Defaults are for the requests that do not say it themselves.
	Defaults Defaults `json:"defaults,omitzero"`
	// Cases are the requests and what is expected. At least one.
	Cases []AdmissionTestCase `json:"cases"`
}

// Namespace is a namespace and the labels that namespaceSelectors see, besides
// kubernetes.io/metadata.name, which every namespace has.
type Namespace struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
}

// Webhook says where webhooks are. One of Address and Exec is required.
type Webhook struct {
	// Name is a webhook's name, for all that have it, or CONFIGURATION/NAME. Default:
	// all webhooks that no other entry names.
	Name string `json:"name,omitempty"`
	// Address is where connections go in place of where the configuration says, as
	// HOST:PORT. The webhook keeps its name: that is the one that its certificate must
	// have.
	Address string `json:"address,omitempty"`
	// CAFile is a file with the CA, in PEM, for webhooks that have no caBundle. Only with
	// Address.
	CAFile string `json:"caFile,omitempty"`
	// Exec starts the webhook.
	Exec *Exec `json:"exec,omitempty"`
}

// Exec is a command that serves webhooks, over TLS, on a port of the loopback address. It
// is started before the first case of the suite and stopped after the last, with what it
// has started itself: SIGTERM, and SIGKILL if that does not help. What has left its process
// group, as by setsid, goes on running, and so does what a command has started when
// gatehouse itself is killed by SIGKILL.
//
// It finds the port in the environment variable PORT. CERT_DIR is a folder with tls.crt
// and tls.key, a certificate for the names under which its webhooks are called, and ca.crt;
// the authority is made for this run, and the webhooks' caBundle is replaced by it.
// TLS_CERT_FILE and TLS_KEY_FILE are the two files. $(PORT) and the others are replaced in
// Command and in the values of Env; $$(PORT) stays as $(PORT).
type Exec struct {
	// Command is the program and its arguments. A program whose name contains a slash is
	// relative to WorkingDir. Required.
	Command []string `json:"command"`
	// Env are variables besides those of gatehouse's own environment.
	Env []EnvVar `json:"env,omitempty"`
	// WorkingDir is where it runs. Default: the folder of the suite's file.
	WorkingDir string `json:"workingDir,omitempty"`
	// Port is the one that it listens on, if it is always the same. Default: a free one.
	Port int32 `json:"port,omitempty"`
	// Readiness says when it can be called. Default: when it accepts connections.
	Readiness Readiness `json:"readiness,omitzero"`
	// StartSeconds is how long it may take to be ready. Default: 60, at most 600. A
	// command such as "go run ." compiles first.
	StartSeconds int32 `json:"startSeconds,omitempty"`
	// StopSeconds is how long it has to end after SIGTERM. Default: 5, at most 60.
	StopSeconds int32 `json:"stopSeconds,omitempty"`
}

// EnvVar is an environment variable, as containers have them.
type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// Readiness is a sign that a webhook can be called. At most one.
type Readiness struct {
	// Path is one that is answered with a status from 200 to 399, over HTTPS on the
	// webhook's port.
	Path string `json:"path,omitempty"`
	// Log is a regular expression that a line of its output or error output matches.
	Log string `json:"log,omitempty"`
}

// Defaults are for requests that do not say it themselves.
type Defaults struct {
	// Namespace is that of namespaced objects that name none. Default: default.
	Namespace string `json:"namespace,omitempty"`
	// UserInfo is who asks. Default: the user gatehouse, who is authenticated and no
	// more. If it is there all of it counts: no group is added.
	UserInfo *authenticationv1.UserInfo `json:"userInfo,omitempty"`
	// DryRun says that nothing will be stored. A request cannot say no to that.
	DryRun bool `json:"dryRun,omitempty"`
}

// AdmissionTestCase is a request and what is expected of it.
type AdmissionTestCase struct {
	// Name is unique in the suite. Required.
	Name string `json:"name"`
	// Request is an AdmissionRequest, whose apiVersion and kind need not be written and
	// whose object, oldObject and patch.content may each be the path of a file with one
	// document; that of a patch needs no kind, unless it is applied. Or it is the path of
	// a file with one document: an AdmissionRequest, an AdmissionReview, or an object,
	// which is created. Required.
	Request json.RawMessage `json:"request"`
	// Expect is what has to come of it. Required.
	Expect Expect `json:"expect"`
}

// Expect is what has to come of a request. What is not said is not looked at, but for
// Allowed, and but for webhooks that fail: a call that ends as failed open, failed closed,
// internal error or panicked is not as expected, unless an Outcome is expected of that
// webhook. What denies the request may also be expected by a Code, Reason or Message, which
// are then those of the failure.
//
// A field that is written has a value: null is a mistake, but for audit annotations and
// within Object and Patch.
//
// Texts are compared by regular expressions, of the syntax of Go, which match if they are
// found anywhere in the text.
type Expect struct {
	// Allowed says whether the request is admitted. Default: true, or false if there is
	// a Code, Reason or Message, which only denials have.
	Allowed *bool `json:"allowed,omitempty"`
	// Code is the HTTP status of the denial, such as 403.
	Code *int32 `json:"code,omitempty"`
	// Reason is that of the denial's status, such as Forbidden; it may be empty.
	Reason *metav1.StatusReason `json:"reason,omitempty"`
	// Message is a regular expression that the message of the denial matches.
	Message *string `json:"message,omitempty"`
	// Warnings are regular expressions: there are as many warnings, and each matches in
	// its turn. An empty list is none at all.
	Warnings []string `json:"warnings,omitzero"`

	// Patch is what all webhooks together did, in order: the operations of the JSON
	// patches that were applied. Values are compared as JSON, and keys that an operation
	// does not have are not looked at. An empty list is no patch at all.
	Patch []json.RawMessage `json:"patch,omitzero"`
	// Object is a part of the final object: maps need have no more than the keys that
	// are written, of which null says that the key is absent. A list whose items have
	// what Kubernetes tells such items apart by (name, containerPort, key and so on) may
	// have other items; every other list has the same length, and each item is a part of
	// the one in its place.
	Object json.RawMessage `json:"object,omitempty"`
	// Golden is a file with the whole final object in YAML, without managedFields and
	// without a name that was generated. `gatehouse test --update` writes it. Its name
	// ends in .yaml, .yml or .json, and the suite does not read it for anything else; nor
	// is it in a folder of Configurations.
	Golden string `json:"golden,omitempty"`

	// Called are the names of all webhooks that are called, each NAME or
	// CONFIGURATION/NAME, in any order and as in ExpectWebhook. An empty list is none at
	// all.
	Called []string `json:"called,omitzero"`
	// Webhooks say more about single webhooks.
	Webhooks []ExpectWebhook `json:"webhooks,omitempty"`
	// Rounds is how often the mutating webhooks are gone through: 1, or 2 if one of them
	// changed the object, whether or not another is then called again.
	Rounds *int32 `json:"rounds,omitempty"`
	// AuditAnnotations are regular expressions by key; null says that there is no such
	// annotation.
	AuditAnnotations map[string]*string `json:"auditAnnotations,omitempty"`
}

// ExpectWebhook is what is expected of one webhook.
type ExpectWebhook struct {
	// Name is a webhook's name or CONFIGURATION/NAME. Required; there is such a webhook,
	// and a name that is in several configurations needs CONFIGURATION. If it is one of a
	// mutating and a validating configuration of one name, or is there twice in one, then
	// all that is said has to come true of each of them.
	Name string `json:"name"`
	// Called says whether it is called at all. Default: true, or false with Why.
	Called *bool `json:"called,omitzero"`
	// Why is a regular expression that the reason matches for which the webhook is not
	// called in any round, as `gatehouse explain` gives it after the stage: "rules: …",
	// "objectSelector: …", "matchConditions: …", "not reached: …" and so on.
	Why *string `json:"why,omitempty"`
	// Times is how often it is called: 2 if it is reinvoked.
	Times *int32 `json:"times,omitempty"`
	// Outcome is how its last call ends: "allowed", "rejected", "failed closed", "failed
	// open", "canceled", "internal error" or "panicked". Default: not looked at, but must
	// not be a failure.
	Outcome string `json:"outcome,omitempty"`
	// Patch is as Expect.Patch, of this webhook alone.
	Patch []json.RawMessage `json:"patch,omitzero"`
	// Warnings are as Expect.Warnings, of this webhook alone and before they are cut.
	Warnings []string `json:"warnings,omitzero"`
	// AuditAnnotations are as Expect.AuditAnnotations, with the webhook's own keys.
	AuditAnnotations map[string]*string `json:"auditAnnotations,omitempty"`
}
