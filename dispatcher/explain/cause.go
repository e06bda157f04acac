package explain

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/reinvocation"
)

// cause says which changes started the round; empty for first rounds.
func (a *analyzer) cause(r *Round) string {
	if r.Phase != mutating || r.Round == 0 {
		return ""
	}
	return "reinvocation: " + strings.Join(append(a.changeCauses(), a.otherPluginCauses(r)...), "; ")
}

// mutatingCall is one call of a mutating webhook.
type mutatingCall struct {
	round   *Round
	webhook *Webhook
}

// callHistory says for the calls of mutating webhooks, in order, which call
// made which webhook due for reinvocation.
type callHistory struct {
	calls []mutatingCall
	// state is the state of the request after all calls.
	state reinvocation.State
	// madeDue has the webhooks that each call made due, in order.
	madeDue map[*Webhook][]*Webhook
}

// callHistory returns the history of the request, computed on the first call.
func (a *analyzer) callHistory() *callHistory {
	if a.calls != nil {
		return a.calls
	}
	h := &callHistory{madeDue: map[*Webhook][]*Webhook{}}
	for r, w := range a.e.webhooks() {
		if r.Phase == mutating && w.Called && w.Call != nil {
			h.calls = append(h.calls, mutatingCall{r, w})
		}
	}
	h.replay()
	a.calls = h
	return h
}

// replay computes state and madeDue.
func (h *callHistory) replay() {
	var notDue []*Webhook
	for i := range h.calls {
		s := &h.calls[i]
		h.state.Called(s.webhook.UID, s.webhook.Call.Mutated, s.webhook.reinvocable())
		notDue = slices.DeleteFunc(notDue, func(w *Webhook) bool {
			due := h.state.Due(w.UID)
			if due {
				h.madeDue[s.webhook] = append(h.madeDue[s.webhook], w)
			}
			return due
		})
		if s.webhook.reinvocable() && !h.state.Due(s.webhook.UID) {
			notDue = append(notDue, s.webhook)
		}
	}
}

func (w *Webhook) reinvocable() bool {
	return w.Spec.ReinvocationPolicy == string(registrationv1.IfNeededReinvocationPolicy)
}

// changeCauses describes the calls of round 0 that made webhooks due. Every
// change starts another round, even if no webhook is due in it, because in-tree
// plugins run again too.
func (a *analyzer) changeCauses() []string {
	var all []string
	var idle *Webhook
	for _, s := range a.callHistory().calls {
		w := s.webhook
		switch due := a.callHistory().madeDue[w]; {
		case s.round.Round != 0 || !w.Call.Mutated:
		case len(due) > 0:
			all = append(
				all, fmt.Sprintf("%s changed %s after %s (reinvocationPolicy IfNeeded) had been called",
					a.webhookName(w), changedPaths(w.Call), a.webhookNames(due)))
		case idle == nil:
			idle = w
		}
	}
	switch {
	case len(all) > longList:
		return append(all[:longList:longList], "and so on")
	case len(all) == 0 && idle != nil:
		return []string{fmt.Sprintf(
			"%s changed %s, before which no webhook with reinvocationPolicy IfNeeded had been called",
			a.webhookName(idle), changedPaths(idle.Call))}
	case len(all) == 0 && a.mutatingPolicy() != "":
		return []string{fmt.Sprintf("policy %s was evaluated, which always costs a second round",
			a.mutatingPolicy())}
	case len(all) == 0:
		return []string{"no webhook changed the object, so another mutating plugin requested it"}
	}
	return all
}

// mutatingPolicy returns the first policy that evaluated a mutation in round 0; empty
// if there was none.
func (a *analyzer) mutatingPolicy() string {
	for _, r := range a.e.Rounds {
		if r.Phase != mutating || r.Round != 0 {
			continue
		}
		for _, p := range r.Policies {
			if slices.ContainsFunc(p.Bindings, PolicyBinding.mutates) {
				return p.Name
			}
		}
	}
	return ""
}

// mutates reports whether a mutation was evaluated.
func (b PolicyBinding) mutates() bool {
	return slices.ContainsFunc(b.Evaluations, func(e PolicyEvaluation) bool {
		return len(e.Mutations) > 0
	})
}

// otherPluginCauses describes webhooks that were called again although no
// webhook made them due: another plugin changed the object between the rounds
// (S-163).
func (a *analyzer) otherPluginCauses(r *Round) []string {
	var due []*Webhook
	for i := range r.Webhooks {
		if w := &r.Webhooks[i]; w.Called && !a.callHistory().state.Due(w.UID) {
			due = append(due, w)
		}
	}
	if len(due) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("another mutating plugin changed the object after %s had been called",
		a.webhookNames(due))}
}

// changedPaths lists the paths that a call changed.
func changedPaths(c *Call) string {
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
			add(pointerToPath(op.Path))
		}
	}
	if len(paths) == 0 {
		return "the object"
	}
	return listWords(paths)
}

// pointerToPath converts a JSON pointer to the path syntax of explanations.
func pointerToPath(pointer string) string {
	if pointer == "" {
		return "the whole object"
	}
	path, err := ParsePath(pointer)
	if err != nil {
		return pointer
	}
	return path.String()
}

func (a *analyzer) webhookNames(webhooks []*Webhook) string {
	names := make([]string, 0, len(webhooks))
	for _, w := range webhooks {
		names = append(names, a.webhookName(w))
	}
	return joinWithAnd(names)
}

// webhookName returns the webhook's name, prefixed with its configuration if
// another configuration has a webhook with this name.
func (a *analyzer) webhookName(w *Webhook) string {
	for _, other := range a.e.webhooks() {
		if other.Name == w.Name && other.Configuration != w.Configuration {
			return printableWord(w.Configuration) + "/" + printableWord(w.Name)
		}
	}
	return printableWord(w.Name)
}
