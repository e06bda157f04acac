package fault

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Promise is what a side does in one or more combinations. What it leaves out
// is not left open: it follows from the class, or is promised not to be there.
type Promise struct {
	// When is a combination, a phase or a policy; "" is all. The first promise
	// of a list that applies counts.
	When string `json:"when,omitempty"`
	// Class is the outcome in short: see classes.
	Class string `json:"class"`
	// Message is the text of the error, without what its class implies.
	Message string `json:"message,omitempty"`
	// Reason is the reason of a denial, where the class leaves it open.
	Reason string `json:"reason,omitempty"`
	// Details are those of a denial's status, as JSON. The default is the cause
	// that every internal error has, and none for other denials.
	Details string `json:"details,omitempty"`
	// Object is the object afterwards, as JSON. Class A+ needs it, and no other
	// class has it.
	Object string `json:"object,omitempty"`
	// Took is how long the request takes in virtual time, to the nanosecond. In
	// real time it takes at least that.
	Took metav1.Duration `json:"took,omitzero"`
	// Calls is the number of requests that servers received. The default is 1,
	// or 0 if the class has no call.
	Calls *int `json:"calls,omitempty"`
	// Connections is the number of connections to the first origin. The default
	// leaves it open: calls say enough where every call is the first of its
	// connection.
	Connections *int `json:"connections,omitempty"`
	// Elsewhere is the number of connections to the second origin.
	Elsewhere int `json:"elsewhere,omitempty"`
	// Credentials is the number of headers, at either origin, that carry a
	// credential or impersonate a user.
	Credentials int `json:"credentials,omitempty"`
	// Problems are the steps of the script that the server cannot do. The default
	// is none.
	Problems []string `json:"problems,omitempty"`
	// Patch is that of the annotation of level Request.
	Patch string `json:"patch,omitempty"`
	// Annotations and Warnings come from the webhook. They are abbreviated as
	// outcomes are.
	Annotations map[string]string `json:"annotations,omitempty"`
	Warnings    []string          `json:"warnings,omitempty"` // see Annotations
	// Instead replaces metrics and annotations that do not follow from the
	// class. The metrics are without "apiserver_admission_" and without the
	// labels name and operation.
	Instead *Instead `json:"instead,omitempty"`
}

// Instead is what a class does not know.
type Instead struct {
	Metrics     []string          `json:"metrics"`     // all series, sorted
	Annotations map[string]string `json:"annotations"` // all of them
}
