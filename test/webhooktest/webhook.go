package webhooktest

import (
	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Webhook are the expectations of a single webhook: that it is called, and
// further fields. Zero fields are not compared.
type Webhook struct {
	// Name is NAME or CONFIGURATION/NAME. Required.
	Name string
	// NotCalled expects that it is not called in any round. Why, only with
	// NotCalled, is as for Want.NotCalled.
	NotCalled bool
	Why       string
	// Times is the number of calls: 2 if it is reinvoked.
	Times int32
	// Outcome is the outcome of its last call, such as admission.FailedOpen.
	Outcome admission.Outcome
	// Patch is Want.Patch for this webhook.
	Patch any
	// Warnings is Want.Warnings for this webhook, before truncation; nil is not
	// compared.
	Warnings []string
	// AuditAnnotations are regular expressions by the webhook's own keys; nil
	// means that the annotation is absent.
	AuditAnnotations map[string]*string
}

// expectation returns the expectation in the form of a file.
func (w *Webhook) expectation() (suitefile.ExpectWebhook, error) {
	e := suitefile.ExpectWebhook{
		Name: w.Name, Called: new(!w.NotCalled), Why: nonZero(w.Why), Times: nonZero(w.Times),
		Warnings: w.Warnings, AuditAnnotations: w.AuditAnnotations,
	}
	if w.Why != "" && !w.NotCalled {
		return e, errWhy("NotCalled")
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
