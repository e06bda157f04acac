package explain

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
)

// An Option changes what Response and Complete put into an Explanation.
type Option func(*options)

// options are the values of all options.
type options struct {
	bodies, secrets bool
	reasons         bool
	redactPaths     []Path
	sent            json.RawMessage
	metrics         []Metric
	faultOf         func(configuration, webhook string) string
	like            runtime.Object
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

func newOptions(all []Option) *options {
	o := &options{}
	for _, option := range all {
		option(o)
	}
	return o
}
