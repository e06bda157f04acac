package expect

import (
	"encoding/json"
	"fmt"
	"regexp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

// Failure is an expectation that was not met.
type Failure struct {
	// Field is the field of the expectation: "allowed", "object",
	// "webhooks[0].why".
	Field string
	// Path is the position in the final object, as explain.ParsePath reads it;
	// empty if the failure is not about a part of the object. Text identifies
	// list items by name.
	Path string
	// Want and Got are a text, a regular expression, or JSON; empty for
	// nothing. They may be long and quote webhooks, but do not contain the data
	// of Secrets.
	Want, Got string
	// Text is one line of bounded length, escaped for terminals.
	Text string
}

// Expectation is a compiled expectation. It is immutable and safe for
// concurrent use. A nil field means no expectation; an empty one is an
// expectation.
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
	policies    []policy
	rounds      *int32
	annotations []annotation

	// known are all webhooks of the suite.
	known []*admission.Webhook
}

// webhook is the expectation of one webhook.
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

// operation is a JSON patch operation.
type operation map[string]json.RawMessage

// annotation is the pattern of an audit annotation; nil if it must be absent.
type annotation struct {
	key   string
	value *regexp.Regexp
}

// Check returns the failures, in the order of the format's fields; nil if all
// expectations are met. It does not compare the golden file.
func (e *Expectation) Check(r *admission.Response) []Failure {
	c := newChecker(r)
	c.known = e.known
	c.verdict(e)
	c.warnings("warnings", e.warnings, r.Warnings)
	c.patch("patch", e.patch, r.Calls)
	c.object(e.object)
	c.called(e.called)
	for i := range e.webhooks {
		c.webhook(i, &e.webhooks[i])
	}
	for i := range e.policies {
		c.policy(fmt.Sprintf("policies[%d].", i), &e.policies[i])
	}
	c.failed(e)
	c.failedPolicies(e)
	c.rounds(e.rounds)
	c.annotations("auditAnnotations", e.annotations, audited(r.AuditAnnotations))
	return c.failures
}
