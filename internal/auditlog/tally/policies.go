package tally

import (
	"cmp"
	"slices"
	"strings"

	"example.com/gatehouse/internal/auditlog"
)

// Policy counts what a ValidatingAdmissionPolicy did with a binding.
type Policy struct {
	Policy  string `json:"policy"`
	Binding string `json:"binding,omitempty"`
	// Failures are the failed validations in annotations, which the action Audit makes, and
	// Warned those of them about which the client was warned, too.
	Failures int `json:"failures"`
	Warned   int `json:"warned"`
	// Denials are requests that it denied.
	Denials int `json:"denials"`
}

type policyKey struct{ policy, binding string }

func (t *Tally) addFailure(f auditlog.Failure) {
	t.changePolicy(policyKey{f.Policy, f.Binding}, func(p *Policy) {
		p.Failures++
		p.Warned += count(slices.Contains(f.Actions, "Warn"))
	})
}

func (t *Tally) changePolicy(key policyKey, change func(*Policy)) {
	counted(t, t.policies, key, func(p *Policy) *Policy {
		if p == nil {
			p = &Policy{Policy: key.policy, Binding: key.binding}
		}
		change(p)
		return p
	})
}

// addPolicyDenial counts a denial of the form: ValidatingAdmissionPolicy 'p' with binding
// 'b' denied request: …
func (t *Tally) addPolicyDenial(message string) {
	policy, rest := quoted(message, `ValidatingAdmissionPolicy '`)
	binding := ""
	if policy != "" && strings.HasPrefix(rest, ` with binding '`) {
		binding, rest = quoted(rest, ` with binding '`)
	}
	if policy != "" && strings.HasPrefix(rest, ` denied request`) {
		t.report.Denied++
		t.changePolicy(policyKey{policy, binding}, func(p *Policy) { p.Denials++ })
	}
}

func (t *Tally) policyRows() []Policy {
	all := []Policy{}
	for _, p := range t.policies {
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b Policy) int {
		return cmp.Or(b.Denials-a.Denials, b.Failures-a.Failures,
			cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Binding, b.Binding))
	})
	return all
}

// Annotation counts an audit annotation of a webhook or a policy. The name does not show
// which of both it is.
type Annotation struct {
	Owner  string `json:"owner"`
	Key    string `json:"key"`
	Events int    `json:"events"`
}

func (t *Tally) annotations() []Annotation {
	all := []Annotation{}
	for o, n := range t.notes {
		all = append(all, Annotation{o.Owner, o.Key, n})
	}
	slices.SortFunc(all, func(a, b Annotation) int {
		return cmp.Or(b.Events-a.Events, cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Key, b.Key))
	})
	return all
}
