package explain

import "encoding/json"

// An Option says what an Explanation is to have beside what it has by default.
type Option func(*options)

// options are what has been asked for.
type options struct {
	bodies, secrets bool
	reasons         bool
	redactPaths          []Path
	sent            json.RawMessage
	metrics         []Metric
	faultOf           func(configuration, webhook string) string
}

// WithBodies has the requests and responses of calls kept, if they were traced.
func WithBodies() Option { return func(o *options) { o.bodies = true } }

// ShowSecrets has the data of Secrets shown, and all that Redact names.
func ShowSecrets() Option { return func(o *options) { o.secrets = true } }

// ReasonsOnly leaves out who changed what, which is most of the work: Call.Changes,
// Call.Defaulted, Fields, Removed and Fights. Hints and causes go by the patches then. Where
// there is something to hide nothing is left out: what was there for a while, and may be
// quoted, is found among the changes.
func ReasonsOnly() Option { return func(o *options) { o.reasons = true } }

// Redact has what is at the paths, and below them, hidden in objects of every kind.
func Redact(paths ...Path) Option {
	return func(o *options) { o.redactPaths = append(o.redactPaths, paths...) }
}

// Sent is the JSON of the object as its author wrote it, if defaults were added before
// the request was made: Fields then tell the two apart.
func Sent(object json.RawMessage) Option { return func(o *options) { o.sent = object } }

// Metrics are the series that the request changed.
func Metrics(changed []Metric) Option { return func(o *options) { o.metrics = changed } }

// Faults names what answered in place of a webhook; empty if nothing did.
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
