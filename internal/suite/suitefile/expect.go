package suitefile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
)

// outcomes are the names of the outcomes of a call.
func outcomes() []string {
	var names []string
	for o := admission.Allowed; o <= admission.Panicked; o++ {
		names = append(names, o.String())
	}
	return names
}

// Check reports contradictions that show without knowing the webhooks: fields
// that exclude each other, numbers out of range, and missing names. Regular
// expressions are not compiled. Fields are named as in "webhooks[0].times".
func (e *Expect) Check(wrong func(field string, err error)) {
	e.checkDenial(wrong)
	if e.Rounds != nil && (*e.Rounds < 1 || *e.Rounds > 2) {
		wrong("rounds", fmt.Errorf("%d: must be 1 or 2", *e.Rounds))
	}
	for i, name := range e.Called {
		if err := checkCalled(e.Called[:i], name); err != nil {
			wrong(fmt.Sprintf("called[%d]", i), err)
		}
	}
	var names []string
	for i := range e.Webhooks {
		w, prefix := &e.Webhooks[i], fmt.Sprintf("webhooks[%d].", i)
		if err := checkCalled(names, w.Name); err != nil {
			wrong(prefix+"name", err)
		}
		names = append(names, w.Name)
		w.check(func(field string, err error) { wrong(prefix+field, err) })
	}
	e.checkPolicies(wrong)
	checkKeys(wrong, e.AuditAnnotations)
}

// checkDenial reports fields of a denial where the request is allowed, and vice
// versa. A denied request may have an object: its last state.
func (e *Expect) checkDenial(wrong func(field string, err error)) {
	allowed := e.Allowed != nil && *e.Allowed
	denied := e.Allowed != nil && !*e.Allowed
	for _, f := range []struct {
		field string
		there bool
	}{{"code", e.Code != nil}, {"reason", e.Reason != nil}, {"message", e.Message != nil}} {
		if f.there && allowed {
			wrong(f.field, errors.New("only for denials, but allowed is true"))
		}
		denied = denied || f.there && !allowed
	}
	if denied && e.Golden != "" {
		wrong("golden", errors.New("a denied request has no final object: expect a part of its last state with object"))
	}
}

// checkCalled reports an invalid or duplicate name of a webhook.
func checkCalled(before []string, name string) error {
	if err := checkReference(name); err != nil {
		return err
	}
	if slices.Contains(before, name) {
		return fmt.Errorf("%q: is a duplicate", name)
	}
	return nil
}

func checkKeys(wrong func(field string, err error), annotations map[string]*string) {
	if _, there := annotations[""]; there {
		wrong("auditAnnotations", errors.New("a key is empty"))
	}
}

// check is Check for one webhook.
func (w *ExpectWebhook) check(wrong func(field string, err error)) {
	if w.Times != nil && *w.Times < 0 {
		wrong("times", fmt.Errorf("%d: must be 0 or more", *w.Times))
	}
	if w.Outcome != "" && !slices.Contains(outcomes(), w.Outcome) {
		wrong("outcome", fmt.Errorf("%q: must be one of %s", w.Outcome, strings.Join(outcomes(), ", ")))
	}
	checkKeys(wrong, w.AuditAnnotations)
	switch never := w.Times != nil && *w.Times == 0; {
	case w.Called != nil && *w.Called:
		w.checkCalled(wrong, never)
	case w.Called != nil:
		w.checkNotCalled(wrong, "called is false")
	case w.Why != nil:
		w.checkNotCalled(wrong, "why is set, which is for webhooks that are not called")
	case never:
		w.checkNotCalled(wrong, "times is 0")
	}
}

// checkCalled reports fields that a called webhook cannot have.
func (w *ExpectWebhook) checkCalled(wrong func(field string, err error), never bool) {
	if w.Why != nil {
		wrong("why", errors.New("only for webhooks that are not called, but called is true"))
	}
	if never {
		wrong("times", errors.New("is 0, but called is true"))
	}
}

// checkNotCalled reports fields that only a called webhook can have.
func (w *ExpectWebhook) checkNotCalled(wrong func(field string, err error), because string) {
	for _, f := range []struct {
		field string
		there bool
	}{
		{"times", w.Times != nil && *w.Times > 0}, {"outcome", w.Outcome != ""}, {"patch", w.Patch != nil},
		{"warnings", w.Warnings != nil}, {"auditAnnotations", len(w.AuditAnnotations) > 0},
	} {
		if f.there {
			wrong(f.field, errors.New("only for webhooks that are called, but "+because))
		}
	}
}
