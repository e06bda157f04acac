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

// Want is what has to come of a request. What is not said is not looked at, but for webhooks
// whose call has failed: that has to be wanted, by their Outcome, or of the one that denies
// the request by a Code, Reason or Message. Methods return a copy that says more.
//
// Texts are compared by regular expressions, which match if they are found anywhere in the
// text; regexp.QuoteMeta is for those that are meant word for word. Webhooks are named as
// NAME, or as CONFIGURATION/NAME if several have the name.
type Want struct {
	// at is where it was made.
	at       string
	expect   suitefile.Expect
	problems []error
}

// Allowed wants the request to be admitted.
func Allowed() Want { return Want{at: caller(), expect: suitefile.Expect{Allowed: new(true)}} }

// Denied wants the request to be denied.
func Denied() Want { return Want{at: caller(), expect: suitefile.Expect{Allowed: new(false)}} }

// check keeps a mistake, if there is one, until the case is run.
func (w *Want) check(field string, err error) {
	if err != nil {
		w.problems = append(slices.Clip(w.problems), fmt.Errorf("%s: %w", field, err))
	}
}

// Code wants the HTTP status of the denial, such as 403.
func (w Want) Code(code int32) Want {
	w.expect.Code = &code
	return w
}

// Reason wants the reason in the status of the denial; it may be empty.
func (w Want) Reason(reason metav1.StatusReason) Want {
	w.expect.Reason = &reason
	return w
}

// Message wants the message of the denial to match.
func (w Want) Message(regexp string) Want {
	w.expect.Message = &regexp
	return w
}

// Warnings wants as many warnings, each of which matches in its turn; without arguments,
// none at all.
func (w Want) Warnings(regexps ...string) Want {
	w.expect.Warnings = listed(regexps)
	return w
}

// Patch wants these operations to be what all webhooks together did, in order: a list in
// YAML or JSON, or a Go value of that form. Keys that an operation does not have are not
// looked at. An empty list, "[]", is no patch at all.
func (w Want) Patch(operations any) Want {
	var err error
	w.expect.Patch, err = listOf(operations)
	w.check("Patch", err)
	return w
}

// Object wants this to be a part of the final object: a text in YAML or JSON, or a Go value.
// Maps need have no more than the keys that are there, of which null says that the key is
// absent. A list whose items have what Kubernetes tells such items apart by, such as the
// names of containers, may have other items; every other list has the same length, and each
// item is a part of the one in its place.
//
// Of a pointer to a Go type of Kubernetes, or of one's own that is a runtime.Object, only
// what is set is looked at: zero, false, what is empty, and a pointer to one of these are as
// if they were not there. They, and what is to be absent, can be wanted by a text or a map.
func (w Want) Object(part any) Want {
	var err error
	w.expect.Object, err = partOf(part)
	w.check("Object", err)
	return w
}

// Golden wants the whole final object to be that of a file in YAML, but for managedFields
// and a name that was generated. UpdateGoldens has it written.
func (w Want) Golden(path string) Want {
	w.expect.Golden = path
	return w
}

// Called wants exactly these webhooks to be called, in any order; without arguments, none at
// all.
func (w Want) Called(names ...string) Want {
	w.expect.Called = listed(names)
	return w
}

// NotCalled wants a webhook not to be called in any round, for a reason that matches, as
// `gatehouse explain` gives it after the stage: "rules: …", "objectSelector: …", "not
// reached: …" and so on; "" for any.
func (w Want) NotCalled(name, why string) Want {
	return w.Webhook(Webhook{Name: name, NotCalled: true, Why: why})
}

// Webhook wants more of a single webhook.
func (w Want) Webhook(hook Webhook) Want {
	expected, err := hook.expectation()
	w.check(fmt.Sprintf("Webhook %q", hook.Name), err)
	w.expect.Webhooks = append(slices.Clip(w.expect.Webhooks), expected)
	return w
}

// Rounds wants the mutating webhooks to be gone through once; or twice, as is done if one of
// them has changed the object, whether or not any is called again.
func (w Want) Rounds(n int32) Want {
	w.expect.Rounds = &n
	return w
}

// AuditAnnotation wants an audit annotation whose value matches. The key is that of the
// audit event.
func (w Want) AuditAnnotation(key, regexp string) Want { return w.annotation(key, &regexp) }

// NoAuditAnnotation wants no audit annotation with a key.
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

// listed returns a list that is there even if nothing is in it.
func listed(texts []string) []string { return append([]string{}, texts...) }

// listOf makes JSON of the items of a list.
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
