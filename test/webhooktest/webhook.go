package webhooktest

import (
	"errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Webhook is what is wanted of a single webhook: that it is called, and what else is said.
// The zero value of a field says nothing.
type Webhook struct {
	// Name is a webhook's name or CONFIGURATION/NAME. Required.
	Name string
	// NotCalled says that it is not called in any round, and Why, which is for this alone,
	// is as for Want.NotCalled.
	NotCalled bool
	Why       string
	// Times is how often it is called: 2 if it is reinvoked.
	Times int32
	// Outcome is how its last call ends, such as admission.FailedOpen.
	Outcome admission.Outcome
	// Patch is as for Want.Patch, of this webhook alone.
	Patch any
	// Warnings are as for Want.Warnings, of this webhook alone and before they are cut; nil
	// says nothing.
	Warnings []string
	// AuditAnnotations are regular expressions by the webhook's own keys; nil says that
	// there is no such annotation.
	AuditAnnotations map[string]*string
}

// expectation returns what a file would say.
func (w *Webhook) expectation() (suitefile.ExpectWebhook, error) {
	e := suitefile.ExpectWebhook{Name: w.Name, Warnings: w.Warnings, AuditAnnotations: w.AuditAnnotations}
	if w.Why != "" && !w.NotCalled {
		return e, errors.New("there is a Why, which is for one that is NotCalled")
	}
	e.Called = new(!w.NotCalled)
	if w.Why != "" {
		e.Why = &w.Why
	}
	if w.Times != 0 {
		e.Times = &w.Times
	}
	if w.Outcome != 0 {
		e.Outcome = w.Outcome.String()
	}
	if w.Patch == nil {
		return e, nil
	}
	var err error
	e.Patch, err = listOf(w.Patch)
	return e, err
}
