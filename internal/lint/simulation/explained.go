package simulation

import (
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/lint/inventory"
)

// Explained is what the engine says about a request.
type Explained struct {
	explanation *explain.Explanation
	backends    map[endpoint]inventory.Backend
}

// Explain explains the result. The data of Secrets is redacted.
func (r *Result) Explain() *Explained {
	e := &Explained{
		explanation: explain.Response(r.Response, explain.ReasonsOnly()),
		backends:    map[endpoint]inventory.Backend{},
	}
	for i := range r.Matches {
		w := r.Matches[i].Webhook
		e.backends[endpoint{w.Phase, w.UID}] = inventory.BackendOf(w)
	}
	return e
}

// Tree returns the lines of `gatehouse explain` about the webhooks of some backends that
// were called, or, if none was, a line for each that says why not. The policies are there
// if one refused the request. The first line, which names the request, is not.
func (e *Explained) Tree(backends ...inventory.Backend) string {
	tree, options := e.of(backends, true), explain.TreeOptions{}
	if len(tree.Rounds) == 0 {
		// What would have it called is of no use here, and differs for each request.
		tree, options.Short = e.of(backends, false), true
	}
	var text strings.Builder
	_ = tree.Tree(&text, options) // a Builder returns no errors
	_, lines, _ := strings.Cut(text.String(), "\n")
	return lines
}

// of limits the explanation to webhooks of some backends.
func (e *Explained) of(backends []inventory.Backend, called bool) *explain.Explanation {
	limited := *e.explanation
	limited.Rounds = nil
	for _, round := range e.explanation.Rounds {
		phase := admission.Validating
		if round.Phase == admission.Mutating.String() {
			phase = admission.Mutating
		}
		round.Webhooks = slices.DeleteFunc(slices.Clone(round.Webhooks), func(w explain.Webhook) bool {
			matched := w.Call != nil || w.Error != ""
			return matched != called || !slices.Contains(backends, e.backends[endpoint{phase, w.UID}])
		})
		if limited.DeniedBy == "" {
			round.Policies = nil
		}
		if len(round.Webhooks)+len(round.Policies) > 0 {
			limited.Rounds = append(limited.Rounds, round)
		}
	}
	return &limited
}
