package matching

import (
	"fmt"
	"strings"
	"unique"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cel"
)

// Webhook is a compiled webhook.
type Webhook struct {
	*admission.Webhook

	namespaceSelector selector
	objectSelector    selector
	rules             []rule
	keys              []key // of the rules, for the index
	equivalent        bool
	conditions        []matchCondition
	// conditionsKey is equal for webhooks with equal conditions.
	conditionsKey unique.Handle[string]
}

// selector is a parsed label selector, or the error of parsing it.
type selector struct {
	labels.Selector
	err error
}

type matchCondition struct {
	name    string
	program *cel.Program
}

// Compiler compiles webhooks. Webhooks of one compiler share the programs of
// equal CEL expressions. A Compiler is safe for concurrent use.
type Compiler struct {
	conditions *cel.Compiler
}

// NewCompiler returns a compiler.
func NewCompiler() *Compiler {
	return &Compiler{conditions: cel.NewCompiler()}
}

// Compile compiles webhooks. It never fails: an error in a selector or an
// expression is reported for each request that reaches it.
func (c *Compiler) Compile(webhooks []*admission.Webhook) []*Webhook {
	compiled := make([]*Webhook, len(webhooks))
	for i, w := range webhooks {
		compiled[i] = c.compile(w)
	}
	return compiled
}

func (c *Compiler) compile(w *admission.Webhook) *Webhook {
	compiled := &Webhook{
		Webhook:           w,
		namespaceSelector: parse(w.NamespaceSelector),
		objectSelector:    parse(w.ObjectSelector),
		rules:             make([]rule, len(w.Rules)),
		equivalent:        w.MatchPolicy != nil && *w.MatchPolicy == registrationv1.Equivalent,
		conditions:        make([]matchCondition, len(w.MatchConditions)),
	}
	for i := range w.Rules {
		compiled.rules[i] = newRule(&w.Rules[i])
	}
	compiled.keys = keys(compiled.rules)
	var written strings.Builder
	for i, mc := range w.MatchConditions {
		compiled.conditions[i] = matchCondition{name: mc.Name,
			program: c.conditions.Compile(mc.Expression)}
		fmt.Fprintf(&written, "%q %q ", mc.Name, mc.Expression)
	}
	compiled.conditionsKey = unique.Make(written.String())
	return compiled
}

// parse parses a selector.
//
// Compat: S-068: an absent selector selects nothing. Defaulting makes it empty,
// which selects everything.
func parse(s *metav1.LabelSelector) selector {
	parsed, err := metav1.LabelSelectorAsSelector(s)
	return selector{parsed, err}
}

func newRule(r *registrationv1.RuleWithOperations) rule {
	compiled := rule{
		scope:      registrationv1.AllScopes,
		operations: make(wildcardList, len(r.Operations)),
		groups:     r.APIGroups,
		versions:   r.APIVersions,
		resources:  make([]resource, len(r.Resources)),
	}
	if r.Scope != nil {
		compiled.scope = *r.Scope
	}
	for i, operation := range r.Operations {
		compiled.operations[i] = string(operation)
	}
	for i, entry := range r.Resources {
		compiled.resources[i] = newResource(entry)
	}
	return compiled
}
