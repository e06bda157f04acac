package explain

import (
	"fmt"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
)

// build adds a policy: a line if it does not apply, or what its bindings
// did.
func (p *Policy) build(n *node, o *TreeOptions) {
	name := "policy " + printable(p.Name)
	switch {
	case p.Error != "":
		n.add(bad, "%s cannot be used: %s", name, printable(p.Error))
		return
	case !p.Applies:
		p.buildMiss(n, name, o)
		return
	case len(p.Bindings) == 0:
		n.add(faint, "%s has no binding", name)
		return
	}
	child := n.add(plain, "%s applies", name)
	for i := range p.Bindings {
		p.Bindings[i].build(child, o)
	}
}

// buildMiss says why a policy or binding does not apply.
func (m *PolicyMatch) buildMiss(n *node, name string, o *TreeOptions) {
	child := n.add(faint, "%s does not apply: %s: %s", name, printable(m.Stage), printable(m.Reason))
	if m.Hint != "" && o.Hints && !o.Short {
		child.add(notable, "hint: %s", printable(m.Hint))
	}
}

func (b *PolicyBinding) build(n *node, o *TreeOptions) {
	name := "binding " + printable(b.Name)
	switch {
	case b.Error != "":
		n.add(bad, "%s cannot be used: %s", name, printable(b.Error))
		return
	case !b.Applies:
		b.buildMiss(n, name, o)
		return
	case len(b.Evaluations) == 0:
		n.add(faint, "%s was not evaluated", name)
		return
	}
	for i := range b.Evaluations {
		b.Evaluations[i].build(n, name, b.Actions, o)
	}
}

func (e *PolicyEvaluation) build(n *node, name string, actions []string, o *TreeOptions) {
	if e.Param != "" {
		name += " with param " + printable(e.Param)
	}
	outcome, color := e.outcome(actions)
	child := n.add(color, "%s %s", name, outcome)
	if e.Error != "" {
		child.add(bad, "%s", printable(e.Error))
	}
	for i, v := range e.Validations {
		if v.Denied {
			child.add(bad, "validations[%d]: %s", i, printable(v.Message))
		}
	}
	for i := range e.Mutations {
		e.Mutations[i].build(child)
	}
	if !o.Short {
		e.buildExpressions(child)
	}
	for _, key := range sortedKeys(e.AuditAnnotations) {
		if o.Details {
			child.add(faint, "audit annotation %s: %s", printable(key), printable(e.AuditAnnotations[key]))
		}
	}
}

// outcome says what became of an evaluation.
func (e *PolicyEvaluation) outcome(actions []string) (string, color) {
	denied := 0
	for _, v := range e.Validations {
		if v.Denied {
			denied++
		}
	}
	switch {
	case e.Excluded != "":
		return fmt.Sprintf("is skipped: the matchCondition %q is false", e.Excluded), faint
	case e.Error != "":
		return "failed", bad
	case denied > 0:
		return fmt.Sprintf("fails %d of %s: %s", denied, message.Count(len(e.Validations), "validation"),
			printable(strings.Join(actions, ", "))), bad
	case len(e.Validations) > 0:
		return "passes " + message.Count(len(e.Validations), "validation"), good
	}
	return "makes " + message.Count(len(e.Mutations), "mutation"), good
}

func (m *PolicyMutation) build(n *node) {
	if m.Error != "" {
		n.add(bad, "mutations[%d] failed: %s", m.Index, printable(m.Error))
		return
	}
	shown := &node{}
	for i := range m.Changes {
		shown.add(plain, "%s", m.Changes[i].String())
	}
	shown.truncate()
	child := n.add(plain, "mutations[%d]", m.Index)
	child.children = shown.children
}

// buildExpressions adds the values and costs of expressions.
func (e *PolicyEvaluation) buildExpressions(n *node) {
	if len(e.Expressions) == 0 {
		return
	}
	child := n.add(faint, "its expressions cost %d, of at most %d", e.Cost, admission.PolicyCostBudget)
	for _, x := range e.Expressions {
		switch {
		case x.Error != "":
			child.add(bad, "%s failed: %s", printable(x.Field), printable(x.Error))
		case x.Value != "":
			child.add(faint, "%s is %s (cost %d)", printable(x.Field), printable(x.Value), x.Cost)
		default:
			child.add(faint, "%s (cost %d)", printable(x.Field), x.Cost)
		}
	}
	child.truncate()
}
