package policy

import (
	"context"
	"errors"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// constraints are compiled matchConstraints or matchResources.
type constraints struct {
	// standIn is a webhook with the same selectors and rules, which package
	// matching matches in their place.
	standIn *matching.Webhook
	// excludes are the excludeResourceRules. rules are the resourceRules, if one of
	// them has resourceNames; otherwise the stand-in decides.
	excludes, rules []namedRule
	// err is for constraints that cannot be used.
	err error
}

// namedRule is a rule for some names, or for all if there are none.
type namedRule struct {
	rule  *matching.Webhook
	names []string
}

var (
	errNoConstraints = errors.New("policy contained no match constraints, a required field")
	errNoNamespace   = errors.New("a nil namespace selector was passed, please ensure selectors are initialized properly")
	errNoObject      = errors.New("a nil object selector was passed, please ensure selectors are initialized properly")
)

// everything are the rules of constraints without rules.
var everything = []registrationv1.RuleWithOperations{{
	Operations: []registrationv1.OperationType{registrationv1.OperationAll},
	Rule: registrationv1.Rule{
		APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"},
	},
}}

// newConstraints compiles constraints. Without any, everything matches.
func newConstraints(name string, m *registrationv1.MatchResources) *constraints {
	c := &constraints{}
	if m == nil {
		m = &registrationv1.MatchResources{
			NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		}
	}
	switch {
	case m.NamespaceSelector == nil:
		c.err = errNoNamespace
	case m.ObjectSelector == nil:
		c.err = errNoObject
	}
	w := &admission.Webhook{
		Name: name, UID: name, Rules: everything, MatchPolicy: m.MatchPolicy,
		NamespaceSelector: m.NamespaceSelector, ObjectSelector: m.ObjectSelector,
	}
	if len(m.ResourceRules) > 0 && c.err == nil {
		w.Rules = rulesOf(m.ResourceRules)
	}
	c.standIn = compileStandIn(w)
	c.excludes = namedRules(m.ExcludeResourceRules, m.MatchPolicy)
	if slices.ContainsFunc(m.ResourceRules,
		func(r registrationv1.NamedRuleWithOperations) bool { return len(r.ResourceNames) > 0 }) {
		c.rules = namedRules(m.ResourceRules, m.MatchPolicy)
	}
	return c
}

func rulesOf(named []registrationv1.NamedRuleWithOperations) []registrationv1.RuleWithOperations {
	rules := make([]registrationv1.RuleWithOperations, len(named))
	for i := range named {
		rules[i] = named[i].RuleWithOperations
	}
	return rules
}

func namedRules(
	rules []registrationv1.NamedRuleWithOperations, policy *registrationv1.MatchPolicyType,
) []namedRule {
	all := make([]namedRule, len(rules))
	for i := range rules {
		all[i] = namedRule{compileStandIn(&admission.Webhook{
			Rules: rulesOf(rules[i : i+1]), MatchPolicy: policy,
			NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		}), rules[i].ResourceNames}
	}
	return all
}

// standInCompiler compiles stand-ins, which have no expressions.
var standInCompiler = matching.NewCompiler()

func compileStandIn(w *admission.Webhook) *matching.Webhook {
	return standInCompiler.Compile([]*admission.Webhook{w})[0]
}

// matches matches a request. An error is that of kube-apiserver; the
// failurePolicy decides about it.
func (c *constraints) matches(
	ctx context.Context, v *matching.View, a apiadmission.Attributes,
) admission.Match {
	if c.err != nil {
		return admission.Match{
			Webhook: c.standIn.Webhook, Rule: -1, Stage: admission.StageRules, Err: c.err,
		}
	}
	m := c.standIn.MatchRules(ctx, v)
	// The stand-in's rules match more than the constraints.
	if m.Stage != admission.StagePassed && m.Err == nil || m.Rule < 0 {
		return m
	}
	excluded, err := first(ctx, v, c.excludes, a)
	switch {
	case err != nil:
		m.Stage, m.Err = admission.StageRules, err
	case excluded != nil:
		m.Stage, m.Err = admission.StageRules, nil
	case c.rules != nil:
		m = c.byName(ctx, v, a, m)
	}
	return m
}

// byName matches the rules with their names. m is the match without the names.
func (c *constraints) byName(
	ctx context.Context, v *matching.View, a apiadmission.Attributes, m admission.Match,
) admission.Match {
	found, err := first(ctx, v, c.rules, a)
	switch {
	case err != nil:
		m.Stage, m.Err = admission.StageRules, err
	case found == nil:
		m.Stage, m.Err = admission.StageRules, nil
	default:
		m.Target = found.Target
	}
	return m
}

// first returns the match of the first rule that matches a request and its name:
// those for the request's own resource come before those for equivalent ones.
func first(
	ctx context.Context, v *matching.View, rules []namedRule, a apiadmission.Attributes,
) (found *admission.Match, err error) {
	for _, r := range rules {
		m := r.rule.MatchRules(ctx, v)
		switch {
		case m.Err != nil:
			return nil, m.Err
		case !m.Matched() || len(r.names) > 0 && !slices.Contains(r.names, a.GetName()):
		case m.Target.Resource == a.GetResource():
			return &m, nil
		case found == nil:
			found = &m
		}
	}
	return found, nil
}
