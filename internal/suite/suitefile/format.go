package suitefile

import (
	"encoding/json"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AdmissionTest is a suite as written in a file, with apiVersion
// gatehouse/v1alpha1: the state of a cluster, requests, and expectations. Paths
// are relative to the folder of the file.
type AdmissionTest struct {
	metav1.TypeMeta `json:""`

	// Name identifies the suite in results, and is unique in a run. Default:
	// the name of the file without its ending.
	Name string `json:"name,omitempty"`

	// Configurations describe the cluster: paths of files and folders, or
	// objects. They are webhook configurations, admission policies with their
	// bindings and params, CustomResourceDefinitions, Namespaces and RBAC objects;
	// objects of other kinds are an error, except in folders, which may contain
	// everything that is deployed. At least one webhook or policy is required.
	Configurations []json.RawMessage `json:"configurations"`
	// Recursive reads the folders in folders of Configurations as well, as -R
	// does. Default: false.
	Recursive bool `json:"recursive,omitempty"`
	// Namespaces are further namespaces, in short form. Namespaces that are not
	// described exist, without labels.
	Namespaces []Namespace `json:"namespaces,omitempty"`
	// Authorizer decides for matchConditions that use the authorizer: "allow"
	// or "deny". Default: the RBAC objects among the configurations, or else
	// "deny".
	Authorizer string `json:"authorizer,omitempty"`

	// Webhooks are the endpoints of webhooks. Default: those of the
	// configurations.
	Webhooks []Webhook `json:"webhooks,omitempty"`
	// Serial runs the cases sequentially, for webhooks with state. Default:
	// several concurrently.
	Serial bool `json:"serial,omitempty"`

	// Defaults apply to requests without the field.
	Defaults Defaults `json:"defaults,omitzero"`
	// Cases are the requests with their expectations. At least one.
	Cases []AdmissionTestCase `json:"cases"`
}

// Namespace is a namespace with its labels, without
// kubernetes.io/metadata.name, which every namespace has.
type Namespace struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
}

// Webhook is the endpoint of webhooks. One of Address and Exec is required.
type Webhook struct {
	// Name is NAME, for all webhooks of that name, or CONFIGURATION/NAME.
	// Default: all webhooks that no other entry names.
	Name string `json:"name,omitempty"`
	// Address is HOST:PORT, used instead of the configured one. The certificate
	// must still be valid for the configured name.
	Address string `json:"address,omitempty"`
	// CAFile is a PEM file with the CA of webhooks without a caBundle. Only
	// with Address.
	CAFile string `json:"caFile,omitempty"`
	// Exec starts the webhook.
	Exec *Exec `json:"exec,omitempty"`
}

// Exec is a command that serves webhooks over TLS on a loopback port. It starts
// before the first case of the suite and is stopped after the last, with its
// process group: SIGTERM, then SIGKILL. Processes that left the group, as by
// setsid, keep running, and so do child processes if gatehouse is killed by
// SIGKILL.
//
// The environment variable PORT is the port. CERT_DIR is a folder with tls.crt
// and tls.key, a certificate for the names of the webhooks, and ca.crt; its
// authority is new in each run and replaces the webhooks' caBundle.
// TLS_CERT_FILE and TLS_KEY_FILE are the two files. References such as $(PORT)
// are expanded in Command and in the values of Env; $$(PORT) is an escaped
// $(PORT).
type Exec struct {
	// Command is the program with its arguments. A program with a slash is
	// relative to WorkingDir. Required.
	Command []string `json:"command"`
	// Env are variables in addition to gatehouse's own environment.
	Env []EnvVar `json:"env,omitempty"`
	// WorkingDir defaults to the folder of the suite's file.
	WorkingDir string `json:"workingDir,omitempty"`
	// Port is the port of a command that cannot choose it. Default: a free one.
	Port int32 `json:"port,omitempty"`
	// Readiness defaults to accepting connections.
	Readiness Readiness `json:"readiness,omitzero"`
	// StartSeconds limits the time until the command is ready. Default: 60, at
	// most 600. A command such as "go run ." compiles first.
	StartSeconds int32 `json:"startSeconds,omitempty"`
	// StopSeconds is the time between SIGTERM and SIGKILL. Default: 5, at most
	// 60.
	StopSeconds int32 `json:"stopSeconds,omitempty"`
}

// EnvVar is an environment variable, as in a container.
type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// Readiness is a readiness probe. At most one field.
type Readiness struct {
	// Path must return a status from 200 to 399, over HTTPS on the port.
	Path string `json:"path,omitempty"`
	// Log is a regular expression that must match a line of stdout or stderr.
	Log string `json:"log,omitempty"`
}

// Defaults apply to requests without the field.
type Defaults struct {
	// Namespace is that of namespaced objects without one. Default: default.
	Namespace string `json:"namespace,omitempty"`
	// UserInfo is the user. Default: the user gatehouse in the group
	// system:authenticated. No groups are added to a given user.
	UserInfo *authenticationv1.UserInfo `json:"userInfo,omitempty"`
	// DryRun makes all requests dry runs. A request cannot override true.
	DryRun bool `json:"dryRun,omitempty"`
}

// AdmissionTestCase is a request with its expectations.
type AdmissionTestCase struct {
	// Name is unique in the suite. Required.
	Name string `json:"name"`
	// Request is an AdmissionRequest without apiVersion and kind, whose object,
	// oldObject and patch.content may be paths of files with one document; a
	// patch needs no kind, unless it is an apply. Or it is the path of a file
	// with one document: an AdmissionRequest, an AdmissionReview, or an object
	// to create. Required.
	Request json.RawMessage `json:"request"`
	// Expect are the expectations. Required.
	Expect Expect `json:"expect"`
}

// Expect are the expectations of a request. Absent fields are not compared,
// except Allowed, and except failed calls: a call that ends as failed open,
// failed closed, internal error or panicked is a failure unless an Outcome is
// expected of the webhook. A denial by such a call may also be expected by
// Code, Reason or Message.
//
// A field must not be null, except for audit annotations and within Object and
// Patch.
//
// Texts are matched by unanchored Go regular expressions.
type Expect struct {
	// Allowed is whether the request is admitted. Default: true, or false with
	// Code, Reason or Message, which only denials have.
	Allowed *bool `json:"allowed,omitempty"`
	// Code is the HTTP status of the denial, such as 403.
	Code *int32 `json:"code,omitempty"`
	// Reason is that of the denial's status, such as Forbidden; may be empty.
	Reason *metav1.StatusReason `json:"reason,omitempty"`
	// Message is a regular expression for the message of the denial.
	Message *string `json:"message,omitempty"`
	// Warnings are regular expressions, one for each warning, in order. An
	// empty list means no warnings.
	Warnings []string `json:"warnings,omitzero"`

	// Patch are the operations of all applied JSON patches, in order. Values
	// are compared as JSON, and absent keys are not compared. An empty list
	// means no patch.
	Patch []json.RawMessage `json:"patch,omitzero"`
	// Object is a subset of the final object: maps may have further keys; null
	// means that a key is absent. A list with a merge key (name, containerPort,
	// key and so on) may have further items; every other list has the same
	// length, and its items are compared in order.
	Object json.RawMessage `json:"object,omitempty"`
	// Golden is a file with the whole final object as YAML, without
	// managedFields and a generated name. `gatehouse test --update` writes it.
	// Its name ends in .yaml, .yml or .json, and it must not be an input of the
	// suite or in a folder of Configurations.
	Golden string `json:"golden,omitempty"`

	// Called are the names of all called webhooks, NAME or CONFIGURATION/NAME,
	// in any order. An empty list means none.
	Called []string `json:"called,omitzero"`
	// Webhooks are expectations of single webhooks.
	Webhooks []ExpectWebhook `json:"webhooks,omitempty"`
	// Policies are expectations of single admission policies.
	Policies []ExpectPolicy `json:"policies,omitempty"`
	// Rounds is the number of rounds of the mutating phase: 1, or 2 if a
	// webhook changed the object or a policy was applied, even if none of them
	// runs again.
	Rounds *int32 `json:"rounds,omitempty"`
	// AuditAnnotations are regular expressions by key; null means that the
	// annotation is absent.
	AuditAnnotations map[string]*string `json:"auditAnnotations,omitempty"`
}

// ExpectPolicy are the expectations of one admission policy.
type ExpectPolicy struct {
	// Name is POLICY, or POLICY/BINDING for one of its bindings. If a mutating
	// and a validating policy share the name, each must meet the expectations.
	// Required.
	Name string `json:"name"`
	// Evaluated is whether it is evaluated at all, with whatever result.
	// Default: true, or false with Why.
	Evaluated *bool `json:"evaluated,omitzero"`
	// Why is a regular expression for the reason why the policy or its binding
	// does not apply, as in `gatehouse explain`: "rules: …", "objectSelector: …"
	// and so on.
	Why *string `json:"why,omitempty"`
	// Times is the number of evaluations: one for each binding, param and round.
	Times *int32 `json:"times,omitempty"`
	// Outcome is the worst of the evaluations, which is the first of these:
	// "error", "failed" (a validation), "passed" or "applied", and "skipped" (a
	// matchCondition is false). Default: any but an error.
	Outcome string `json:"outcome,omitempty"`
	// Message is a regular expression for the message of a failed validation or
	// an error.
	Message *string `json:"message,omitempty"`
}

// ExpectWebhook are the expectations of one webhook.
type ExpectWebhook struct {
	// Name is NAME or CONFIGURATION/NAME of an existing webhook; a name in
	// several configurations needs CONFIGURATION. If it still means several
	// webhooks, of a mutating and a validating configuration or in one
	// configuration, each of them must meet the expectations. Required.
	Name string `json:"name"`
	// Called is whether it is called at all. Default: true, or false with Why.
	Called *bool `json:"called,omitzero"`
	// Why is a regular expression for the reason why the webhook is not called
	// in any round, as in `gatehouse explain`: "rules: …", "objectSelector: …",
	// "matchConditions: …", "not reached: …" and so on.
	Why *string `json:"why,omitempty"`
	// Times is the number of calls: 2 if it is reinvoked.
	Times *int32 `json:"times,omitempty"`
	// Outcome is the outcome of its last call: "allowed", "rejected", "failed
	// closed", "failed open", "canceled", "internal error" or "panicked".
	// Default: any but a failure.
	Outcome string `json:"outcome,omitempty"`
	// Patch is Expect.Patch for this webhook.
	Patch []json.RawMessage `json:"patch,omitzero"`
	// Warnings is Expect.Warnings for this webhook, before truncation.
	Warnings []string `json:"warnings,omitzero"`
	// AuditAnnotations is Expect.AuditAnnotations with the webhook's own keys.
	AuditAnnotations map[string]*string `json:"auditAnnotations,omitempty"`
}
