package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Compile compiles expectations of webhooks and policies; those are policies and
// bindings of admissionregistration.k8s.io/v1. The result keeps parts of e, and
// webhooks. Compile reports mistakes as Expect.Check does; then the result is
// incomplete.
func Compile(
	e *suitefile.Expect, webhooks []*admission.Webhook, policies []runtime.Object,
	mistake func(field string, err error),
) *Expectation {
	c := &compiler{webhooks: webhooks, mistake: mistake}
	return &Expectation{
		allowed:  wantAllowed(e),
		code:     e.Code,
		reason:   e.Reason,
		message:  c.optional("message", e.Message),
		warnings: c.patterns("warnings", e.Warnings),
		patch:    c.operations("patch", e.Patch),
		object:   c.object("object", e.Object),
		called:   c.targets("called", e.Called),
		webhooks: c.expected(e.Webhooks),
		policies: c.policies(e.Policies, policies),
		rounds:   e.Rounds,
		known:    webhooks,

		annotations: c.annotations("auditAnnotations", e.AuditAnnotations),
	}
}

func wantAllowed(e *suitefile.Expect) bool {
	if e.Allowed != nil {
		return *e.Allowed
	}
	return e.Code == nil && e.Reason == nil && e.Message == nil
}

// compiler reports mistakes.
type compiler struct {
	webhooks []*admission.Webhook
	mistake  func(field string, err error)
}

// expected compiles the expectations of single webhooks.
func (c *compiler) expected(webhooks []suitefile.ExpectWebhook) []webhook {
	var made []webhook
	var before []target
	for i := range webhooks {
		field := fmt.Sprintf("webhooks[%d].", i)
		t := c.target(field+"name", webhooks[i].Name, before)
		before = append(before, t)
		made = append(made, c.webhook(field, t, &webhooks[i]))
	}
	return made
}

func (c *compiler) webhook(field string, t target, w *suitefile.ExpectWebhook) webhook {
	return webhook{
		target:      t,
		called:      wantCalled(w),
		why:         c.optional(field+"why", w.Why),
		times:       w.Times,
		outcome:     w.Outcome,
		patch:       c.operations(field+"patch", w.Patch),
		warnings:    c.patterns(field+"warnings", w.Warnings),
		annotations: c.annotations(field+"auditAnnotations", w.AuditAnnotations),
	}
}

// wantCalled reports whether a call is expected. Times 0 means none.
func wantCalled(w *suitefile.ExpectWebhook) bool {
	if w.Called != nil {
		return *w.Called
	}
	return w.Why == nil && (w.Times == nil || *w.Times > 0)
}

func (c *compiler) optional(field string, text *string) *regexp.Regexp {
	if text == nil {
		return nil
	}
	return c.pattern(field, *text)
}

func (c *compiler) pattern(field, text string) *regexp.Regexp {
	compiled, err := regexp.Compile(text)
	if err != nil {
		c.mistake(field, err) // the error quotes the expression
	}
	return compiled
}

func (c *compiler) patterns(field string, texts []string) []*regexp.Regexp {
	if texts == nil {
		return nil
	}
	made := make([]*regexp.Regexp, len(texts))
	for i, text := range texts {
		made[i] = c.pattern(fmt.Sprintf("%s[%d]", field, i), text)
	}
	return made
}

func (c *compiler) annotations(field string, wanted map[string]*string) []annotation {
	var made []annotation
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		made = append(made, annotation{key, c.optional(field, wanted[key])})
	}
	return made
}

func (c *compiler) object(field string, raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil || parts == nil {
		c.mistake(field, errors.New("must be a map, a part of the final object"))
	}
	return raw
}
