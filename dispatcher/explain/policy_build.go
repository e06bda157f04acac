package explain

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// policies adds the records of policies to the rounds.
func (b *builder) policies() {
	for i := range b.response.Policies {
		p := &b.response.Policies[i]
		if p.Match.Webhook == nil {
			b.addProblem("the record of policy %s has no match", p.Name)
			continue
		}
		at := b.round(p.Phase, p.Match.Round)
		at.Policies = append(at.Policies, b.policyOf(p))
	}
}

func (b *builder) policyOf(p *admission.PolicyRecord) Policy {
	e := Policy{Kind: p.Kind(), PolicyMatch: policyMatch(p.Name, &p.Match, p.Err)}
	hidden := p.ParamKind.Kind == "Secret"
	for i := range p.Bindings {
		of := &p.Bindings[i]
		binding := PolicyBinding{
			PolicyMatch: policyMatch(of.Name, &of.Match, of.Err), Actions: of.Actions,
		}
		for _, evaluation := range of.Evaluations {
			binding.Evaluations = append(binding.Evaluations, b.evaluationOf(evaluation, &p.Match, hidden))
		}
		e.Bindings = append(e.Bindings, binding)
	}
	return e
}

func policyMatch(name string, m *admission.Match, err error) PolicyMatch {
	e := PolicyMatch{
		Name: name, Applies: m.Stage == admission.StagePassed, Stage: m.Stage.String(),
		Match: newMatch(m), Spec: newWebhook(m.Webhook, m.Index).Spec,
	}
	if err != nil {
		e.Error = err.Error()
	}
	return e
}

// evaluationOf explains an evaluation. If hidden is set, the param is a Secret.
func (b *builder) evaluationOf(
	r *admission.PolicyEvaluation, m *admission.Match, hidden bool,
) PolicyEvaluation {
	e := PolicyEvaluation{Param: r.Param, Excluded: r.Excluded, Error: textOf(r.Err)}
	for _, x := range r.Expressions {
		value := x.Value
		if hidden {
			value = ""
		}
		e.Expressions = append(e.Expressions,
			Expression{Field: x.Field, Value: value, Error: textOf(x.Err), Cost: x.Cost})
		e.Cost += x.Cost
	}
	for _, d := range r.Decisions {
		e.Validations = append(e.Validations, PolicyValidation{
			Denied: d.Denied, Failed: d.Failed, Message: d.Message, Reason: string(d.Reason),
		})
	}
	for _, a := range r.Annotations {
		if e.AuditAnnotations == nil {
			e.AuditAnnotations = map[string]string{}
		}
		e.AuditAnnotations[a.Key] = a.Value
	}
	for _, mutation := range r.Mutations {
		e.Mutations = append(e.Mutations, b.mutationOf(mutation, m.Target.Kind))
	}
	return e
}

func (b *builder) mutationOf(
	r admission.PolicyMutation, kind schema.GroupVersionKind,
) PolicyMutation {
	e := PolicyMutation{Index: r.Index, Error: textOf(r.Err)}
	if r.After == nil {
		return e
	}
	before, after := b.states(r, kind)
	changes, err := Diff(before, after)
	if err != nil {
		b.addProblem("what a mutation changed cannot be shown: %v", err)
	}
	e.Changes = changes
	return e
}

// states returns the object before and after a mutation.
func (b *builder) states(
	r admission.PolicyMutation, kind schema.GroupVersionKind,
) (before, after json.RawMessage) {
	state := func(o runtime.Object) json.RawMessage {
		return b.document("the object at a mutation", o, kind)
	}
	return state(r.Before), state(r.After)
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// addPolicies adds the states of the mutating policies of a round.
func (l *stateList) addPolicies(round int) {
	for i := range l.response.Policies {
		p := &l.response.Policies[i]
		if p.Phase != admission.Mutating || p.Match.Round != round {
			continue
		}
		for j := range p.Bindings {
			for _, e := range p.Bindings[j].Evaluations {
				l.addMutations(p, p.Bindings[j].Name, e)
			}
		}
	}
}

func (l *stateList) addMutations(
	p *admission.PolicyRecord, binding string, e *admission.PolicyEvaluation,
) {
	kind := p.Match.Target.Kind
	for _, m := range e.Mutations {
		if m.After == nil {
			continue
		}
		before, after := l.builder.states(m, kind)
		l.add(before, kind, l.writerBefore(kind))
		l.add(after, kind, Writer{
			By: ByPolicy, Policy: p.Name, Binding: binding, Round: p.Match.Round, Index: m.Index,
		})
	}
}

// eachPolicyMatch visits what says whether policies and bindings apply.
func (e *Explanation) eachPolicyMatch(visit func(*Round, *PolicyMatch)) {
	for i := range e.Rounds {
		r := &e.Rounds[i]
		for j := range r.Policies {
			visit(r, &r.Policies[j].PolicyMatch)
			for k := range r.Policies[j].Bindings {
				visit(r, &r.Policies[j].Bindings[k].PolicyMatch)
			}
		}
	}
}

// eachEvaluation visits the evaluations of policies.
func (e *Explanation) eachEvaluation(visit func(*PolicyEvaluation)) {
	for i := range e.Rounds {
		for j := range e.Rounds[i].Policies {
			for k := range e.Rounds[i].Policies[j].Bindings {
				b := &e.Rounds[i].Policies[j].Bindings[k]
				for n := range b.Evaluations {
					visit(&b.Evaluations[n])
				}
			}
		}
	}
}

// addPolicyReasons sets the reasons and hints of policies and bindings. They are
// those of a webhook with the same rules and selectors.
func (a *analyzer) addPolicyReasons() {
	a.e.eachPolicyMatch(func(r *Round, m *PolicyMatch) {
		switch {
		case m.Applies:
		case m.Stage == stageRules && m.Match.Rule >= 0:
			m.Reason = "a rule matches, but its resourceNames do not, or an excludeResourceRule does"
		default:
			w := &Webhook{Name: m.Name, Stage: m.Stage, Match: m.Match, Spec: m.Spec}
			m.Reason, m.Hint = a.reason(r, w), a.hint(r, w)
		}
	})
}
