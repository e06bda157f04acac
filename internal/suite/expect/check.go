package expect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// checker compares one response. What takes time is made when it is first needed.
type checker struct {
	response *admission.Response
	known    []*admission.Webhook
	failures []Failure
	// who is the webhook that is looked at, if the expectation is about several.
	who string

	// explanation has reasons, and no more.
	explanation *explain.Explanation
	curtain     *curtain
}

// fail adds a failure whose text is the field and what is said of it.
func (c *checker) fail(field, want, got, format string, args ...any) {
	text := c.about(field) + ": " + fmt.Sprintf(format, args...)
	c.failures = append(c.failures, Failure{Field: field, Want: want, Got: got, Text: text})
}

// about is the field, and the webhook if the field does not say which it is.
func (c *checker) about(field string) string {
	if c.who == "" {
		return field
	}
	return field + ": " + c.who
}

// explain is for reasons, which are bounded and have no secrets in them.
func (c *checker) explain() *explain.Explanation {
	if c.explanation == nil {
		c.explanation = explain.Response(c.response, explain.ReasonsOnly())
	}
	return c.explanation
}

// verdict says what a denial was, to those who did not expect one. What is expected of a
// denial is not looked at if there is none: that is one failure, not four.
func (c *checker) verdict(e *Expectation) {
	r := c.response
	if r.Allowed != e.allowed {
		c.fail("allowed", strconv.FormatBool(e.allowed), strconv.FormatBool(r.Allowed),
			"want %t, got %t%s", e.allowed, r.Allowed, after(c.message()))
	}
	if r.Allowed || r.Status == nil {
		return
	}
	if got := r.Status.Code; e.code != nil && *e.code != got {
		c.fail("code", strconv.Itoa(int(*e.code)), strconv.Itoa(int(got)), "want %d, got %d", *e.code, got)
	}
	if got := r.Status.Reason; e.reason != nil && *e.reason != got {
		got := c.safe(string(got))
		c.fail("reason", string(*e.reason), got, "want %s, got %s", quoted(string(*e.reason)), quoted(got))
	}
	if e.message != nil {
		c.match("message", e.message, r.Status.Message)
	}
}

// message is that of the denial; "" if there was none.
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
	for i := range c.response.Matches {
		if m := &c.response.Matches[i]; m.Webhook.Phase == admission.Mutating {
			last = max(last, m.Round)
		}
	}
	if got := last + 1; got != int(*want) {
		c.fail("rounds", strconv.Itoa(int(*want)), strconv.Itoa(got), "want %d, got %d", *want, got)
	}
}

// called compares the names of all webhooks that were called.
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

// calledAll wants calls of all webhooks that a name means.
func (c *checker) calledAll(t *target) {
	for _, w := range t.webhooks {
		if len(c.callsOf(w)) > 0 {
			continue
		}
		name := shown(t.text)
		if len(t.webhooks) > 1 {
			name = c.label(w)
		}
		c.fail("called", t.text, "", "want %s, which is not called%s", name, after(strings.Join(c.reasons(w), "; ")))
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
