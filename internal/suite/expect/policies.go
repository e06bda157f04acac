package expect

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/suite/suitefile"
)

// policy is the expectation of one policy, or of one binding of it.
type policy struct {
	name, binding string
	evaluated     bool
	why, message  *regexp.Regexp
	times         *int32
	outcome       string
}

// policies compiles the expectations of policies.
func (c *compiler) policies(all []suitefile.ExpectPolicy, declared []runtime.Object) []policy {
	known := policyNames(declared)
	var made []policy
	for i := range all {
		from, field := &all[i], fmt.Sprintf("policies[%d].", i)
		if !slices.Contains(known, from.Name) {
			c.mistake(field+"name", fmt.Errorf("there is no policy %s%s", quoted(from.Name),
				among(from.Name, known)))
		}
		p := policy{
			evaluated: from.Why == nil, times: from.Times, outcome: from.Outcome,
			why: c.optional(field+"why", from.Why), message: c.optional(field+"message", from.Message),
		}
		p.name, p.binding, _ = strings.Cut(from.Name, "/")
		if from.Evaluated != nil {
			p.evaluated = *from.Evaluated
		}
		made = append(made, p)
	}
	return made
}

// policyNames returns POLICY and POLICY/BINDING of all policies.
func policyNames(declared []runtime.Object) (names []string) {
	for _, o := range declared {
		switch o := o.(type) {
		case *registrationv1.MutatingAdmissionPolicy:
			names = append(names, o.Name)
		case *registrationv1.ValidatingAdmissionPolicy:
			names = append(names, o.Name)
		case *registrationv1.MutatingAdmissionPolicyBinding:
			names = append(names, o.Spec.PolicyName+"/"+o.Name)
		case *registrationv1.ValidatingAdmissionPolicyBinding:
			names = append(names, o.Spec.PolicyName+"/"+o.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// policyError is the worst of suitefile.PolicyOutcomes.
const policyError = "error"

// policyResult is what became of a policy in all rounds.
type policyResult struct {
	// outcome is empty if it was not evaluated; reasons then say why.
	outcome  string
	times    int
	messages []string
	reasons  []string
}

// policy compares the expectation with what became of the policy.
func (c *checker) policy(field string, want *policy) {
	for _, kind := range c.kindsOf(want.name) {
		got := c.resultOf(kind, want.name, want.binding)
		name := shown(want.name)
		if want.binding != "" {
			name = shown(want.name + "/" + want.binding)
		}
		switch evaluated := got.outcome != ""; {
		case want.evaluated != evaluated:
			how := "is evaluated: " + got.outcome
			if !evaluated {
				how = "is not evaluated" + afterColon(strings.Join(got.reasons, "; "))
			}
			c.fail(field+"evaluated", strconv.FormatBool(want.evaluated), strconv.FormatBool(evaluated),
				"want %t, got %t: %s %s", want.evaluated, evaluated, name, how)
		case evaluated:
			c.evaluated(field, want, got)
		case want.why != nil:
			c.anyMatches(field+"why", want.why, got.reasons)
		}
	}
}

// evaluated compares the evaluations of a policy.
func (c *checker) evaluated(field string, want *policy, got *policyResult) {
	if want.times != nil && int(*want.times) != got.times {
		c.fail(field+"times", strconv.Itoa(int(*want.times)), strconv.Itoa(got.times),
			"want %d, got %d", *want.times, got.times)
	}
	if want.outcome != "" && want.outcome != got.outcome {
		c.fail(field+"outcome", want.outcome, got.outcome, "want %s, got %s%s", quoted(want.outcome),
			quoted(got.outcome), afterColon(c.safe(strings.Join(got.messages, "; "))))
	}
	if want.message != nil {
		c.anyMatches(field+"message", want.message, got.messages)
	}
}

func (c *checker) anyMatches(field string, want *regexp.Regexp, found []string) {
	if !slices.ContainsFunc(found, want.MatchString) {
		got := c.safe(strings.Join(found, "; "))
		c.fail(field, want.String(), got, "want one that matches %s, got %s",
			quoted(want.String()), quoted(got))
	}
}

// failedPolicies reports errors of policies that no expectation covers: those that
// failurePolicy Ignore hides.
func (c *checker) failedPolicies(e *Expectation) {
	for p, got := range c.policyErrors() {
		who := p.Kind + " " + p.Name
		covered := e.saysDenial() && c.explain().DeniedBy == who ||
			slices.ContainsFunc(e.policies, func(w policy) bool {
				return w.name == p.Name && w.outcome != ""
			})
		if !covered {
			c.fail("policies", "", policyError, "%s ended with an error, which is not expected%s; "+
				"outcome: error would expect it", shown(who),
				afterColon(c.safe(strings.Join(got.messages, "; "))))
		}
	}
}

// policyErrors returns the policies that ended with an error, in order, and what became
// of them.
func (c *checker) policyErrors() iter.Seq2[*explain.Policy, *policyResult] {
	return func(yield func(*explain.Policy, *policyResult) bool) {
		if len(c.response.Policies) == 0 {
			return
		}
		results := map[string]*policyResult{} // by kind and name
		var all []*explain.Policy
		c.eachPolicy(func(p *explain.Policy) {
			who := p.Kind + " " + p.Name
			if results[who] == nil {
				results[who] = &policyResult{}
				all = append(all, p)
			}
			results[who].add(p, "")
		})
		for _, p := range all {
			got := results[p.Kind+" "+p.Name]
			if got.outcome == policyError && !yield(p, got) {
				return
			}
		}
	}
}

// PolicyErrors returns an expectation of each policy that ended with an error. Without
// it, Expectation.Check reports the error, unless the policy denied the request.
func PolicyErrors(r *admission.Response) []suitefile.ExpectPolicy {
	c := newChecker(r)
	var all []suitefile.ExpectPolicy
	for p := range c.policyErrors() {
		e := suitefile.ExpectPolicy{Name: p.Name, Outcome: policyError}
		if c.explain().DeniedBy != p.Kind+" "+p.Name && !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	return all
}

// eachPolicy visits the policies of all rounds.
func (c *checker) eachPolicy(visit func(*explain.Policy)) {
	rounds := c.explain().Rounds
	for i := range rounds {
		for j := range rounds[i].Policies {
			visit(&rounds[i].Policies[j])
		}
	}
}

// kindsOf returns the kinds of the policies of a name. It is "" if the request did
// not come to any.
func (c *checker) kindsOf(name string) (kinds []string) {
	c.eachPolicy(func(p *explain.Policy) {
		if p.Name == name && !slices.Contains(kinds, p.Kind) {
			kinds = append(kinds, p.Kind)
		}
	})
	if kinds == nil {
		return []string{""}
	}
	return kinds
}

// resultOf returns what became of a policy; with a binding, of this one.
func (c *checker) resultOf(kind, name, binding string) *policyResult {
	result := &policyResult{}
	c.eachPolicy(func(p *explain.Policy) {
		if p.Kind == kind && p.Name == name {
			result.add(p, binding)
		}
	})
	if result.outcome == "" && result.reasons == nil {
		result.reasons = []string{c.notReached()}
	}
	return result
}

// add adds a round.
func (r *policyResult) add(p *explain.Policy, binding string) {
	if r.applies(&p.PolicyMatch) && len(p.Bindings) == 0 {
		r.reasons = append(r.reasons, "it has no binding")
	}
	for i := range p.Bindings {
		b := &p.Bindings[i]
		if binding != "" && b.Name != binding || !r.applies(&b.PolicyMatch) {
			continue
		}
		for j := range b.Evaluations {
			r.times++
			r.evaluation(p.Kind, &b.Evaluations[j])
		}
	}
}

// applies reports whether a policy or binding applies and can be used.
func (r *policyResult) applies(m *explain.PolicyMatch) bool {
	switch {
	case m.Error != "":
		r.worsen(policyError, m.Error)
		return false
	case !m.Applies:
		r.reasons = append(r.reasons, m.Stage+": "+m.Reason)
	}
	return m.Applies
}

// evaluation adds an evaluation.
func (r *policyResult) evaluation(kind string, e *explain.PolicyEvaluation) {
	switch {
	case e.Error != "":
		r.worsen(policyError, e.Error)
	case e.Excluded != "":
		r.worsen("skipped", "")
	case kind == "MutatingAdmissionPolicy":
		r.worsen("applied", "")
	default:
		r.worsen("passed", "")
	}
	for _, v := range e.Validations {
		if v.Failed {
			r.worsen(policyError, v.Message)
		} else if v.Denied {
			r.worsen("failed", v.Message)
		}
	}
	for _, m := range e.Mutations {
		if m.Error != "" {
			r.worsen(policyError, m.Error)
		}
	}
}

// worsen sets the outcome if it is worse than those before, and adds a message.
func (r *policyResult) worsen(outcome, text string) {
	all := suitefile.PolicyOutcomes()
	if r.outcome == "" || cmp.Compare(slices.Index(all, outcome), slices.Index(all, r.outcome)) < 0 {
		r.outcome = outcome
	}
	if text != "" {
		r.messages = append(r.messages, text)
	}
}
