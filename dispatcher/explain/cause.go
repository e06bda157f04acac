package explain

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// cause says why the round was begun, and by which change; empty for first rounds.
func (a *advisor) cause(r *Round) string {
	if r.Phase != mutating || r.Round == 0 {
		return ""
	}
	return "reinvocation: " + strings.Join(append(a.changes(), a.strangers(r)...), "; ")
}

// step is one call of a mutating webhook.
type step struct {
	round   *Round
	webhook *Webhook
}

// history is what the calls of mutating webhooks did to each other, in order. It follows
// package reinvocation, which decided by it (S-166).
type history struct {
	calls []step
	// due has for each webhook the call that first made it due.
	due map[string]*step
	// victims are the webhooks that each call made due, in order.
	victims map[*Webhook][]*Webhook
}

// history is made when it is asked for.
func (a *advisor) history() *history {
	if a.past != nil {
		return a.past
	}
	h := &history{due: map[string]*step{}, victims: map[*Webhook][]*Webhook{}}
	for i := range a.e.Rounds {
		r := &a.e.Rounds[i]
		for j := range r.Webhooks {
			if w := &r.Webhooks[j]; r.Phase == mutating && w.Called && w.Call != nil {
				h.calls = append(h.calls, step{r, w})
			}
		}
	}
	h.replay()
	a.past = h
	return h
}

// replay finds out who is due. A webhook counts as invoked only after its own change.
func (h *history) replay() {
	var invoked []*Webhook
	for i := range h.calls {
		s := &h.calls[i]
		if s.webhook.Call.Mutated {
			for _, w := range invoked {
				h.victims[s.webhook] = append(h.victims[s.webhook], w)
				if h.due[w.UID] == nil {
					h.due[w.UID] = s
				}
			}
			invoked = nil
		}
		if s.webhook.reinvocable() {
			invoked = append(invoked, s.webhook)
		}
	}
}

func (w *Webhook) reinvocable() bool {
	return w.Spec.ReinvocationPolicy == string(registrationv1.IfNeededReinvocationPolicy)
}

// changes says which calls of round 0 made webhooks due. Any change begins another round,
// also if nobody is due in it: in-tree plugins are to see it.
func (a *advisor) changes() []string {
	var all []string
	var idle *Webhook
	for _, s := range a.history().calls {
		w := s.webhook
		switch victims := a.history().victims[w]; {
		case s.round.Round != 0 || !w.Call.Mutated:
		case len(victims) > 0:
			all = append(all, fmt.Sprintf("%s changed %s after %s (reinvocationPolicy IfNeeded) had been called",
				a.name(w), changedBy(w.Call), a.names(victims)))
		case idle == nil:
			idle = w
		}
	}
	switch {
	case len(all) > longList:
		return append(all[:longList:longList], "and so on")
	case len(all) == 0 && idle != nil:
		return []string{fmt.Sprintf("%s changed %s, before which no webhook with reinvocationPolicy IfNeeded had been called",
			a.name(idle), changedBy(idle.Call))}
	case len(all) == 0:
		return []string{"no webhook changed the object, so another mutating plugin asked for it"}
	}
	return all
}

// strangers finds webhooks that were called again although no webhook made them due:
// another plugin changed the object between the rounds (S-163).
func (a *advisor) strangers(r *Round) []string {
	var due []*Webhook
	for i := range r.Webhooks {
		if w := &r.Webhooks[i]; w.Called && a.history().due[w.UID] == nil {
			due = append(due, w)
		}
	}
	if len(due) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("another mutating plugin changed the object after %s had been called", a.names(due))}
}

// changedBy lists the paths that a call changed.
func changedBy(c *Call) string {
	var paths []string
	add := func(path string) {
		if !slices.Contains(paths[max(len(paths)-longList, 0):], path) {
			paths = append(paths, path)
		}
	}
	for i := range c.Changes {
		add(c.Changes[i].Path)
	}
	for i := range c.Patch {
		if op := &c.Patch[i]; len(c.Changes) == 0 && op.Op != "test" {
			add(dotted(op.Path))
		}
	}
	if len(paths) == 0 {
		return "the object"
	}
	return some(paths)
}

// dotted is a JSON pointer as explanations write paths.
func dotted(pointer string) string {
	if pointer == "" {
		return "the whole object"
	}
	path, err := ParsePath(pointer)
	if err != nil {
		return pointer
	}
	return path.String()
}

func (a *advisor) names(webhooks []*Webhook) string {
	names := make([]string, 0, len(webhooks))
	for _, w := range webhooks {
		names = append(names, a.name(w))
	}
	return enumerated(names)
}

// name is the webhook's, with that of its configuration if there is another one of it.
func (a *advisor) name(w *Webhook) string {
	for i := range a.e.Rounds {
		for j := range a.e.Rounds[i].Webhooks {
			if other := &a.e.Rounds[i].Webhooks[j]; other.Name == w.Name && other.Configuration != w.Configuration {
				return inWords(w.Configuration) + "/" + inWords(w.Name)
			}
		}
	}
	return inWords(w.Name)
}
