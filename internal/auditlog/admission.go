package auditlog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/gatehouse/audit"
	"example.com/gatehouse/internal/auditlog/rawjson"
)

// Call is a call of a webhook, from the audit annotations. A call of a validating
// webhook has an annotation only if it failed and the request continued.
type Call struct {
	// Mutating is the phase: mutating or validating.
	Mutating bool
	// Round and Index are those of the annotation's key. In the mutating phase Index counts
	// all webhooks, also those that were not called, and in the validating phase the called
	// ones.
	Round, Index int
	// Configuration is empty for validating webhooks, of which the log has the name only.
	Configuration, Webhook string
	// Changed reports whether the patch changed the object.
	Changed bool
	// FailedOpen is true if the call failed and the request continued.
	FailedOpen bool
	// Patch is the JSON patch that was applied; nil below the level Request.
	Patch json.RawMessage
}

// Failure is a failed validation of a policy.
type Failure struct {
	Policy, Binding string
	// Actions are the binding's validationActions.
	Actions []string
}

// Owned is an annotation of a webhook or a policy.
type Owned struct{ Owner, Key string }

// The annotations that servers write, beside those of package audit.
const (
	failureKey           = "validation.policy.admission.k8s.io/validation_failure"
	truncatedKey         = "audit.k8s.io/truncated"
	mutatingLatencyKey   = "apiserver.latency.k8s.io/mutating-webhook"
	validatingLatencyKey = "apiserver.latency.k8s.io/validating-webhook"
)

// annotate reads the annotations. It returns false if one of them is broken.
func (e *Event) annotate(raw []byte, names *interner) bool {
	good := true
	rawjson.Members(raw, 0, func(key, value []byte) bool {
		if !e.annotation(key, value, names) {
			good = false
		}
		return true
	})
	slices.SortStableFunc(e.Calls, func(a, b Call) int {
		if a.Mutating != b.Mutating {
			return cmp.Compare(phaseOrder(a), phaseOrder(b))
		}
		return cmp.Or(a.Round-b.Round, a.Index-b.Index)
	})
	return good
}

func phaseOrder(c Call) int {
	if c.Mutating {
		return 0
	}
	return 1
}

func (e *Event) annotation(key, value []byte, names *interner) bool {
	switch name := string(key); {
	case strings.HasPrefix(name, audit.PatchPrefix):
		return e.call(name[len(audit.PatchPrefix):], true,
			func(c *Call) bool { return c.readPatch(value) })
	case strings.HasPrefix(name, audit.MutationPrefix):
		return e.call(name[len(audit.MutationPrefix):], true, func(c *Call) bool {
			return c.readMutation(value, names)
		})
	case strings.HasPrefix(name, audit.MutationFailedOpenPrefix):
		return e.call(name[len(audit.MutationFailedOpenPrefix):], true, failsOpen(value, names))
	case strings.HasPrefix(name, audit.ValidatingFailedOpenPrefix):
		return e.call(name[len(audit.ValidatingFailedOpenPrefix):], false, failsOpen(value, names))
	case name == failureKey:
		return e.readFailures(value, names)
	case name == truncatedKey:
		e.Truncated = true
	case name == mutatingLatencyKey:
		return readLatency(value, &e.MutatingLatency)
	case name == validatingLatencyKey:
		return readLatency(value, &e.ValidatingLatency)
	default:
		e.own(key, names)
	}
	return true
}

// own adds the annotation of a webhook or a policy. Those of Kubernetes are of domains that
// no webhook may use.
func (e *Event) own(key []byte, names *interner) {
	owner, name, ok := bytes.Cut(key, []byte("/"))
	if !ok || bytes.HasSuffix(owner, []byte("k8s.io")) ||
		bytes.HasSuffix(owner, []byte("kubernetes.io")) {
		return
	}
	e.Owned = append(e.Owned, Owned{names.text(owner), names.text(name)})
}

// maxCalls bounds the calls of an event.
const maxCalls = 512

// call changes the call with the position of a key, such as round_0_index_3.
func (e *Event) call(position string, mutating bool, change func(*Call) bool) bool {
	first, second, ok := strings.Cut(strings.TrimPrefix(position, "round_"), "_index_")
	round, err := strconv.Atoi(first)
	index, err2 := strconv.Atoi(second)
	if !ok || err != nil || err2 != nil {
		return false
	}
	for i := range e.Calls {
		if c := &e.Calls[i]; c.Mutating == mutating && c.Round == round && c.Index == index {
			return change(c)
		}
	}
	c := Call{Mutating: mutating, Round: round, Index: index}
	if len(e.Calls) >= maxCalls || !change(&c) {
		return false
	}
	e.Calls = append(e.Calls, c)
	return true
}

func failsOpen(value []byte, names *interner) func(*Call) bool {
	return func(c *Call) bool {
		if c.FailedOpen = true; c.Webhook == "" {
			c.Webhook = names.string(rawjson.Text(value))
		}
		return c.Webhook != ""
	}
}

// readMutation reads {"configuration":…,"webhook":…,"mutated":…}.
func (c *Call) readMutation(value []byte, names *interner) bool {
	end := rawjson.Members([]byte(rawjson.Text(value)), 0, func(key, v []byte) bool {
		switch string(key) {
		case "configuration":
			c.Configuration = names.string(rawjson.Text(v))
		case "webhook":
			c.Webhook = names.string(rawjson.Text(v))
		case "mutated":
			c.Changed = string(v) == "true"
		}
		return true
	})
	return end > 0 && c.Webhook != ""
}

// readPatch reads {"configuration":…,"webhook":…,"patch":…,"patchType":…}.
func (c *Call) readPatch(value []byte) bool {
	text := []byte(rawjson.Text(value))
	c.Patch = rawjson.Lookup(text, "patch")
	if c.Webhook == "" {
		c.Webhook = rawjson.Text(rawjson.Lookup(text, "webhook"))
		c.Configuration = rawjson.Text(rawjson.Lookup(text, "configuration"))
	}
	if !json.Valid(c.Patch) { // such as one that is nested too deeply
		c.Patch = nil
	}
	return c.Patch != nil && c.Webhook != ""
}

// readFailures reads the list of failed validations. Up to 1.36 servers write the list of
// one of them, and lose the others of the request, because a key has one value; from 1.37 on
// they write the first 50.
func (e *Event) readFailures(value []byte, names *interner) bool {
	text := []byte(strings.TrimSpace(rawjson.Text(value)))
	if len(text) > 0 && text[0] == '{' {
		return e.readFailure(text, names)
	}
	good := true
	return rawjson.Items(text, func(item []byte) bool {
		good = good && e.readFailure(item, names)
		return true
	}) && good
}

func (e *Event) readFailure(item []byte, names *interner) bool {
	f := Failure{
		Policy:  names.string(rawjson.Text(rawjson.Lookup(item, "policy"))),
		Binding: names.string(rawjson.Text(rawjson.Lookup(item, "binding"))),
	}
	rawjson.Items(rawjson.Lookup(item, "validationActions"), func(action []byte) bool {
		f.Actions = append(f.Actions, names.string(rawjson.Text(action)))
		return true
	})
	e.Failures = append(e.Failures, f)
	return f.Policy != ""
}

func readLatency(value []byte, to *time.Duration) (good bool) {
	d, err := time.ParseDuration(rawjson.Text(value))
	*to = d
	return err == nil
}
