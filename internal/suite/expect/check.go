package expect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// checker compares one response. Expensive parts are computed on first use.
type checker struct {
	response *admission.Response
	known    []*admission.Webhook
	failures []Failure
	// who is the label of the webhook under comparison, if the expectation is
	// about several.
	webhookLabel string

	// explain returns reasons, which are bounded and contain no secrets.
	explain func() *explain.Explanation
	// secrets returns the filter of secrets, nil if there are none. It reads all
	// objects again.
	secrets func() *explain.SecretFilter
}

func newChecker(r *admission.Response) *checker {
	return &checker{
		response: r,
		explain: sync.OnceValue(
			func() *explain.Explanation { return explain.Response(r, explain.ReasonsOnly()) }),
		secrets: sync.OnceValue(func() *explain.SecretFilter { return newSecretFilter(r) }),
	}
}

// fail adds a failure. Its text is the field and the formatted message.
func (c *checker) fail(field, want, got, format string, args ...any) {
	text := c.about(field) + ": " + fmt.Sprintf(format, args...)
	c.failures = append(c.failures, Failure{Field: field, Want: want, Got: got, Text: text})
}

// about returns the field, with the webhook if the field does not identify it.
func (c *checker) about(field string) string {
	if c.webhookLabel == "" {
		return field
	}
	return field + ": " + c.webhookLabel
}

// verdict compares the verdict. An unexpected denial is one failure, with its
// message; an unexpected admission is one failure, too, without comparing code,
// reason and message.
func (c *checker) verdict(e *Expectation) {
	r := c.response
	if r.Allowed != e.allowed {
		c.fail("allowed", strconv.FormatBool(e.allowed), strconv.FormatBool(r.Allowed),
			"want %t, got %t%s", e.allowed, r.Allowed, afterColon(c.message()))
	}
	if r.Allowed || r.Status == nil {
		return
	}
	if got := r.Status.Code; e.code != nil && *e.code != got {
		c.fail("code", strconv.Itoa(int(*e.code)), strconv.Itoa(int(got)),
			"want %d, got %d", *e.code, got)
	}
	if got := r.Status.Reason; e.reason != nil && *e.reason != got {
		got := c.safe(string(got))
		c.fail("reason", string(*e.reason), got, "want %s, got %s",
			quoted(string(*e.reason)), quoted(got))
	}
	if e.message != nil {
		c.match("message", e.message, r.Status.Message)
	}
}

// message returns the message of the denial; "" if there was none.
func (c *checker) message() string {
	if c.response.Allowed || c.response.Status == nil {
		return ""
	}
	return c.safe(c.response.Status.Message)
}

func (c *checker) rounds(want *int32) {
	if want == nil {
		return
	}
	last := 0
	for i := range c.response.Policies {
		last = max(last, c.response.Policies[i].Match.Round)
	}
	for i := range c.response.Matches {
		if m := &c.response.Matches[i]; m.Webhook.Phase == admission.Mutating {
			last = max(last, m.Round)
		}
	}
	if got := last + 1; got != int(*want) {
		c.fail("rounds", strconv.Itoa(int(*want)), strconv.Itoa(got), "want %d, got %d", *want, got)
	}
}

// called compares the names of the called webhooks.
func (c *checker) called(wanted []target) {
	if wanted == nil {
		return
	}
	seen := map[identity]bool{}
	for i := range c.response.Calls {
		w := c.response.Calls[i].Webhook
		expected := slices.ContainsFunc(wanted, func(t target) bool { return t.has(w) })
		if who := identityOf(w); !seen[who] && !expected {
			label := c.label(w)
			c.fail("called", "", label, "%s is called, but not expected", label)
			seen[who] = true
		}
	}
	for i := range wanted {
		c.calledAll(&wanted[i])
	}
}

// calledAll requires calls of all webhooks of a name.
func (c *checker) calledAll(t *target) {
	for _, w := range t.webhooks {
		if len(c.callsOf(w)) > 0 {
			continue
		}
		name := shown(t.text)
		if len(t.webhooks) > 1 {
			name = c.label(w)
		}
		c.fail("called", t.text, "", "want %s, which is not called%s", name,
			afterColon(strings.Join(c.reasons(w), "; ")))
	}
}

// callsOf returns the calls of a webhook, in order.
func (c *checker) callsOf(w *admission.Webhook) []admission.Call {
	var calls []admission.Call
	for i := range c.response.Calls {
		if call := &c.response.Calls[i]; identityOf(call.Webhook) == identityOf(w) {
			calls = append(calls, *call)
		}
	}
	return calls
}
