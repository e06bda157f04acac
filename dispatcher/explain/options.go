package explain

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// An Option changes what Response and Complete put into an Explanation.
type Option func(*options)

// options are the values of all options.
type options struct {
	bodies, secrets bool
	reasons         bool
	redactPaths     []Path
	secretObjects   []json.RawMessage
	secretPatches   []Operation
	sent            json.RawMessage
	metrics         []Metric
	faultOf         func(configuration, webhook string) string
	like            runtime.Object
	notReached      func(error) bool
	callHint        func(*admission.Call) string
}

// WithBodies keeps the request and response bodies of traced calls.
func WithBodies() Option { return func(o *options) { o.bodies = true } }

// ShowSecrets disables redaction: of Secrets, and of the paths of Redact.
func ShowSecrets() Option { return func(o *options) { o.secrets = true } }

// ReasonsOnly skips the comparison of objects, which is most of the work:
// Call.Changes, Call.Defaulted, Fields, Removed and Fights stay empty. Hints
// and causes then use the paths of the patches.
func ReasonsOnly() Option { return func(o *options) { o.reasons = true } }

// Redact redacts the values at and below the paths in objects of every kind.
func Redact(paths ...Path) Option {
	return func(o *options) { o.redactPaths = append(o.redactPaths, paths...) }
}

// SecretIn passes further states of the object, and patches, for example those
// of other requests for the same Secret. Their secret values are hidden in all
// texts. The states and patches themselves are neither shown nor changed.
func SecretIn(objects []json.RawMessage, patches ...Operation) Option {
	return func(o *options) {
		o.secretObjects = append(o.secretObjects, objects...)
		o.secretPatches = append(o.secretPatches, patches...)
	}
}

// Sent passes the object as the user wrote it, as JSON, for requests whose
// object was defaulted before it was sent. Fields then separates the user's
// values from the defaults.
func Sent(object json.RawMessage) Option { return func(o *options) { o.sent = object } }

// Metrics passes the series that the request changed.
func Metrics(changed []Metric) Option { return func(o *options) { o.metrics = changed } }

// Faults passes a function that names the fault injected for a webhook; "" if
// none was.
func Faults(in func(configuration, webhook string) string) Option {
	return func(o *options) { o.faultOf = in }
}

// NotReached passes a function that reports whether an error is that of a call
// that was not attempted, because the program may not connect to the webhook.
// Such a call has the outcome "not reached", and Explanation.Undecided is set
// if the verdict depends on it; see the function Undecided. Only Response uses
// it.
func NotReached(is func(error) bool) Option { return func(o *options) { o.notReached = is } }

// CallHints passes a function that returns the hint for a failed call, such as
// a flag of the program; "" if it knows none, and then Response uses CallHint.
// Only Response uses it.
func CallHints(of func(*admission.Call) string) Option {
	return func(o *options) { o.callHint = of }
}

func newOptions(all []Option) *options {
	o := &options{}
	for _, option := range all {
		option(o)
	}
	return o
}
