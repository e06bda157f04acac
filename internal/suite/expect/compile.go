package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Compile makes an Expectation of what somebody has written, of which it keeps parts, as it
// keeps the webhooks. An error joins Mistakes.
func Compile(e *suitefile.Expect, webhooks []*admission.Webhook) (*Expectation, error) {
	c := &compiler{webhooks: webhooks}
	made := &Expectation{
		allowed:  wantAllowed(e),
		code:     e.Code,
		reason:   e.Reason,
		message:  c.optional("message", e.Message),
		warnings: c.patterns("warnings", e.Warnings),
		patch:    c.operations("patch", e.Patch),
		object:   c.object("object", e.Object),
		called:   c.targets("called", e.Called),
		rounds:   e.Rounds,
		known:    webhooks,
	}
	made.webhooks = c.expected(e.Webhooks)
	made.annotations = c.annotations("auditAnnotations", e.AuditAnnotations)
	if len(c.mistakes) > 0 {
		return nil, errors.Join(c.mistakes...)
	}
	return made, nil
}

func wantAllowed(e *suitefile.Expect) bool {
	if e.Allowed != nil {
		return *e.Allowed
	}
	return e.Code == nil && e.Reason == nil && e.Message == nil
}

// compiler collects mistakes.
type compiler struct {
	webhooks []*admission.Webhook
	mistakes []error
}

func (c *compiler) mistake(field string, err error) {
	c.mistakes = append(c.mistakes, &Mistake{Field: field, Err: err})
}

// expected makes what is expected of single webhooks.
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

// wantCalled also takes a word for it that a webhook is called no times.
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
		c.mistake(field, err) // it quotes the expression
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
