package webhooktest

import (
	"errors"
	"fmt"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/expect"
)

// mistakes returns what cannot be meant, in the words of Go: files have other ones.
func (w *Want) mistakes(webhooks []*admission.Webhook) error {
	var problems []error
	wrong := func(field string, err error) {
		problems = append(problems, fmt.Errorf("%s: %w", w.word(field), err))
	}
	w.expect.Check(wrong)
	_, err := expect.Compile(&w.expect, webhooks)
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		for _, one := range several.Unwrap() {
			if m, ok := errors.AsType[*expect.Mistake](one); ok {
				wrong(m.Field, m.Err)
			}
		}
	}
	return errors.Join(problems...)
}

// word returns what a field of a file is called here.
func (w *Want) word(field string) string {
	for i := range w.expect.Webhooks {
		if name, ok := strings.CutPrefix(field, fmt.Sprintf("webhooks[%d].", i)); ok {
			return fmt.Sprintf("Webhook %q: %s", w.expect.Webhooks[i].Name, titled(name))
		}
	}
	if field == "auditAnnotations" {
		return "AuditAnnotation" // each has a call of its own
	}
	return titled(field)
}

// titled returns a field's name as Go writes it. Which item of it is wrong the mistake
// itself says.
func titled(field string) string {
	name, _, _ := strings.Cut(field, "[")
	return strings.ToUpper(name[:1]) + name[1:]
}
