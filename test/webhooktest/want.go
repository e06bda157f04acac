package webhooktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/suite/suitefile"
)

// Want are the expectations of a request. What is not set is not compared,
// except failed calls: they fail the case unless the webhook's Outcome is
// expected or, for the call that denies the request, a Code, Reason or Message.
// Methods return a modified copy.
//
// Texts are matched by unanchored regular expressions; regexp.QuoteMeta is for
// literal texts. Webhooks are named as NAME, or as CONFIGURATION/NAME if
// several have the name.
type Want struct {
	// at is the position of the constructor's call.
	at       string
	expect   suitefile.Expect
	problems []error
}

// Allowed expects the request to be admitted.
func Allowed() Want { return Want{at: caller(), expect: suitefile.Expect{Allowed: new(true)}} }

// Denied expects the request to be denied.
func Denied() Want { return Want{at: caller(), expect: suitefile.Expect{Allowed: new(false)}} }

// check records a mistake until the case runs.
func (w *Want) check(field string, err error) {
	if err != nil {
		w.problems = append(slices.Clip(w.problems), fmt.Errorf("%s: %w", field, err))
	}
}

// Code expects the HTTP status of the denial, such as 403.
func (w Want) Code(code int32) Want {
	w.expect.Code = &code
	return w
}

// Reason expects the reason in the status of the denial; it may be empty.
func (w Want) Reason(reason metav1.StatusReason) Want {
	w.expect.Reason = &reason
	return w
}

// Message expects the message of the denial to match.
func (w Want) Message(regexp string) Want {
	w.expect.Message = &regexp
	return w
}

// Warnings expects one warning for each expression, in order; without
// arguments, none.
func (w Want) Warnings(regexps ...string) Want {
	w.expect.Warnings = listed(regexps)
	return w
}

// Patch expects these operations of all webhooks together, in order: a list in
// YAML or JSON, or a Go value. Absent keys are not compared. An empty list,
// "[]", is no patch.
func (w Want) Patch(operations any) Want {
	var err error
	w.expect.Patch, err = listOf(operations)
	w.check("Patch", err)
	return w
}

// Object expects a subset of the final object: a text in YAML or JSON, or a Go
// value. Maps may have further keys; null means that a key is absent. A list
// with a merge key, such as the names of containers, may have further items;
// every other list has the same length, and its items are compared in order.
//
// Of a pointer to a Go type that is a runtime.Object only the set fields are
// compared: zero, false, empty values and pointers to them count as absent. Use
// a text or a map to expect them, or the absence of a field.
func (w Want) Object(part any) Want {
	var err error
	w.expect.Object, err = partOf(part)
	w.check("Object", err)
	return w
}

// Golden expects the whole final object to equal a YAML file, except for
// managedFields and a generated name. UpdateGoldens writes it.
func (w Want) Golden(path string) Want {
	w.expect.Golden = path
	return w
}

// Called expects exactly these webhooks to be called, in any order; without
// arguments, none.
func (w Want) Called(names ...string) Want {
	w.expect.Called = listed(names)
	return w
}

// NotCalled expects a webhook not to be called in any round, for a reason that
// matches why, as in `gatehouse explain`: "rules: …", "objectSelector: …", "not
// reached: …" and so on; "" for any reason.
func (w Want) NotCalled(name, why string) Want {
	return w.Webhook(Webhook{Name: name, NotCalled: true, Why: why})
}

// Webhook adds expectations of a single webhook.
func (w Want) Webhook(hook Webhook) Want {
	expected, err := hook.expectation()
	w.check(fmt.Sprintf("Webhook %q", hook.Name), err)
	w.expect.Webhooks = append(slices.Clip(w.expect.Webhooks), expected)
	return w
}

// Rounds expects one round of the mutating phase, or two: there is a second one
// if a webhook changed the object or a policy was applied, even if none of them
// runs again.
func (w Want) Rounds(n int32) Want {
	w.expect.Rounds = &n
	return w
}

// AuditAnnotation expects an audit annotation whose value matches. The key is
// that of the audit event.
func (w Want) AuditAnnotation(key, regexp string) Want { return w.annotation(key, &regexp) }

// NoAuditAnnotation expects that there is no audit annotation with a key.
func (w Want) NoAuditAnnotation(key string) Want { return w.annotation(key, nil) }

func (w Want) annotation(key string, regexp *string) Want {
	all := map[string]*string{key: regexp}
	if w.expect.AuditAnnotations != nil {
		all = maps.Clone(w.expect.AuditAnnotations)
		all[key] = regexp
	}
	w.expect.AuditAnnotations = all
	return w
}

// listed returns a list that is not nil.
func listed(texts []string) []string { return append([]string{}, texts...) }

// listOf returns the JSON of list items.
func listOf(v any) ([]json.RawMessage, error) {
	raw, err := valueOf(v)
	if err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return nil, errors.New("must be a list of operations")
	}
	return items, nil
}
