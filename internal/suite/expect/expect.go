package expect

import (
	"encoding/json"
	"regexp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

// Failure is an expectation that was not met.
type Failure struct {
	// Field is the field of what was expected: "allowed", "object", "webhooks[0].why".
	Field string
	// Path is where in the final object it is, as explain.ParsePath reads it; "" if it is
	// not about a part of the object. In Text, items of lists go by their names.
	Path string
	// Want and Got are what was expected and what came instead: a text, a regular
	// expression, or JSON; "" for nothing. They may be long, and hold what a webhook has
	// said, but not what a Secret keeps secret.
	Want, Got string
	// Text says all of that in one line of a bounded length, escaped for terminals.
	Text string
}

// Mistake is an expectation that cannot be meant.
type Mistake struct {
	// Field is the field at fault, as in Failure.
	Field string
	Err   error
}

// Error returns what is wrong, without the field.
func (m *Mistake) Error() string { return m.Err.Error() }

// Unwrap returns the cause.
func (m *Mistake) Unwrap() error { return m.Err }

// Expectation is what is expected of a request. It never changes and is safe for
// concurrent use. Of its fields nil means that nothing was said; what is empty and not nil
// was.
type Expectation struct {
	allowed bool
	code    *int32
	reason  *metav1.StatusReason
	message *regexp.Regexp

	warnings []*regexp.Regexp
	patch    []operation
	object   json.RawMessage

	called      []target
	webhooks    []webhook
	rounds      *int32
	annotations []annotation

	// known are all webhooks that there are.
	known []*admission.Webhook
}

// webhook is what is expected of one webhook.
type webhook struct {
	target  target
	called  bool
	why     *regexp.Regexp
	times   *int32
	outcome string

	patch       []operation
	warnings    []*regexp.Regexp
	annotations []annotation
}

// operation has the keys of an operation of a JSON patch, and their values in JSON.
type operation map[string]json.RawMessage

// annotation is what an audit annotation has to match; nil if there must be none.
type annotation struct {
	key   string
	value *regexp.Regexp
}

// Check returns what is not as expected, in the order of the format's fields; nil if all
// is. It does not look at the Golden.
func (e *Expectation) Check(r *admission.Response) []Failure {
	c := &checker{response: r, known: e.known}
	c.verdict(e)
	c.warnings("warnings", e.warnings, r.Warnings)
	c.patch("patch", e.patch, r.Calls)
	c.object(e.object)
	c.called(e.called)
	for i := range e.webhooks {
		c.webhook(i, &e.webhooks[i])
	}
	c.failed(e)
	c.rounds(e.rounds)
	c.annotations("auditAnnotations", e.annotations, audited(r.AuditAnnotations))
	return c.failures
}
