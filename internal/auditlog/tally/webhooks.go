package tally

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/gatehouse/internal/auditlog"
)

// Webhook counts what a webhook did.
type Webhook struct {
	// Configuration is empty if the log does not have it.
	Configuration string `json:"configuration,omitempty"`
	Webhook       string `json:"webhook"`
	// Phase is "mutating" or "validating"; empty if the log has nothing but denials.
	Phase string `json:"phase,omitempty"`
	// Calls is the number of calls of a mutating webhook, Changes those that changed the
	// object, and Again and AgainChanges those in the second round.
	Calls        int `json:"calls"`
	Changes      int `json:"changes"`
	Again        int `json:"again"`
	AgainChanges int `json:"againChanges"`
	// Denials are requests that it denied. FailedOpen are calls that failed although the
	// request went on, and FailedClosed those that ended the request.
	Denials      int `json:"denials"`
	FailedOpen   int `json:"failedOpen"`
	FailedClosed int `json:"failedClosed"`
	// Slow is the number of calls in slow requests, and Slowest the longest time of the
	// webhooks of the phase in one of them.
	Slow    int           `json:"slow"`
	Slowest time.Duration `json:"slowestNanoseconds"`
}

// Name returns the name, with the configuration if it is known.
func (w *Webhook) Name() string {
	if w.Configuration == "" {
		return w.Webhook
	}
	return w.Configuration + "/" + w.Webhook
}

// webhookKey identifies a row: the same name may be in both phases.
type webhookKey struct{ phase, configuration, name string }

func (t *Tally) addCall(e *auditlog.Event, c *auditlog.Call) {
	phase, latency := "validating", e.ValidatingLatency
	if c.Mutating {
		phase, latency = "mutating", e.MutatingLatency
	}
	t.change(webhookKey{phase, c.Configuration, c.Webhook}, func(w *Webhook) {
		w.Calls++
		w.Changes += count(c.Changed)
		w.Again += count(c.Round > 0)
		w.AgainChanges += count(c.Round > 0 && c.Changed)
		w.FailedOpen += count(c.FailedOpen)
		w.Slow += count(latency > 0)
		w.Slowest = max(w.Slowest, latency)
	})
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (t *Tally) change(key webhookKey, change func(*Webhook)) {
	counted(t, t.webhooks, key, func(w *Webhook) *Webhook {
		if w == nil {
			w = &Webhook{Configuration: key.configuration, Webhook: key.name, Phase: key.phase}
		}
		change(w)
		return w
	})
}

// The beginnings of the messages of webhooks in responses.
const (
	deniedBy = `admission webhook "`
	failedAt = `Internal error occurred: failed calling webhook "`
)

// addDenial counts a request that failed because of a webhook or a policy.
func (t *Tally) addDenial(e *auditlog.Event) {
	if !e.Failed() {
		return
	}
	name, rest := quoted(e.Message, deniedBy)
	if strings.HasPrefix(e.Message, deniedBy) && strings.HasPrefix(rest, ` denied the request`) {
		t.report.Denied++
		t.change(t.keyOf(e, name), func(w *Webhook) { w.Denials++ })
		return
	}
	if name, _ := quoted(e.Message, failedAt); strings.HasPrefix(e.Message, failedAt) {
		t.change(t.keyOf(e, name), func(w *Webhook) { w.FailedClosed++ })
		return
	}
	t.addPolicyDenial(e.Message)
}

// quoted returns the name after a prefix in a message, and what follows its closing quote.
func quoted(message, prefix string) (name, rest string) {
	_, rest, ok := strings.Cut(message, prefix)
	if !ok {
		return "", ""
	}
	name, rest, ok = strings.Cut(rest, prefix[len(prefix)-1:])
	if !ok {
		return "", ""
	}
	return name, rest
}

// keyOf returns the row of the webhook that a message names. If it is one of the mutating
// ones that were called, the annotations name it; otherwise it is a validating one, or one
// of another API server.
func (t *Tally) keyOf(e *auditlog.Event, name string) webhookKey {
	for i := range e.Calls {
		if c := &e.Calls[i]; c.Webhook == name && c.Mutating {
			return webhookKey{"mutating", c.Configuration, name}
		}
	}
	return webhookKey{phase: "validating", name: name}
}

// rows returns the webhooks, and the names of those that changed and denied nothing.
func (t *Tally) rows() (all []Webhook, idle []string) {
	all, idle = []Webhook{}, []string{}
	for _, w := range t.webhooks {
		all = append(all, *w)
	}
	slices.SortFunc(all, func(a, b Webhook) int {
		return cmp.Or(b.Changes-a.Changes, b.Calls-a.Calls, b.Denials-a.Denials,
			cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Name(), b.Name()))
	})
	for i := range all {
		if w := &all[i]; w.Phase == "mutating" && w.Changes+w.Denials == 0 {
			idle = append(idle, w.Name())
		}
	}
	return all, idle
}
