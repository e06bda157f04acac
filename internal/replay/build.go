package replay

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/session"
)

// failed returns the result of a request that could not be simulated.
func failed(e *corpus.Entry, err error) *Result {
	return &Result{
		ID: e.ID, Request: describe(e), Error: err.Error(), Redacted: len(e.Redacted) > 0,
	}
}

// describe describes the request of an entry that may not be valid.
func describe(e *corpus.Entry) string {
	var review struct {
		Request struct {
			Operation   string `json:"operation"`
			Name        string `json:"name"`
			Namespace   string `json:"namespace"`
			SubResource string `json:"subResource"`
			Resource    struct {
				Group    string `json:"group"`
				Resource string `json:"resource"`
			} `json:"resource"`
			UserInfo struct {
				Username string `json:"username"`
			} `json:"userInfo"`
		} `json:"request"`
	}
	_ = json.Unmarshal(e.Review, &review) // what is not valid is missing
	r := review.Request
	text := r.Operation + " " + r.Resource.Resource
	if r.Resource.Group != "" {
		text += "." + r.Resource.Group
	}
	text += "/" + r.Name
	if r.SubResource != "" {
		text += "/" + r.SubResource
	}
	if r.Namespace != "" {
		text += " in " + r.Namespace
	}
	return text + " by " + r.UserInfo.Username
}

// result returns the result of a request that was admitted or denied.
func (v *visit) result(a *session.Result) (*Result, error) {
	r := a.Response
	result := &Result{
		ID:        v.entry.ID,
		Request:   fmt.Sprintf("%s %s by %s", r.Request.Operation, a.Reference(), r.Request.User.Username),
		Redacted:  len(v.entry.Redacted) > 0,
		Allowed:   r.Allowed,
		Undecided: a.Undecided(),
		Status:    r.Status.DeepCopy(),
		Warnings:  r.Warnings,
		Policies:  policiesOf(r),
	}
	for i := range r.Calls {
		result.Calls = append(result.Calls, v.call(a, &r.Calls[i]))
	}
	if len(r.AuditAnnotations) > 0 {
		result.AuditAnnotations = map[string]string{}
	}
	for _, annotation := range r.AuditAnnotations {
		result.AuditAnnotations[annotation.Key] = annotation.Value
	}
	if r.Object != nil {
		var err error
		if result.Object, err = json.Marshal(r.Object); err != nil {
			return nil, fmt.Errorf("encoding the object: %w", err)
		}
	}
	result.normalize(r.Calls)
	if holdsSecrets(r.Request.Kind.GroupKind()) {
		return result, result.redact(v.entry)
	}
	return result, nil
}

func (v *visit) call(a *session.Result, c *admission.Call) Call {
	return Call{
		Phase: c.Webhook.Phase.String(), Configuration: c.Webhook.Configuration,
		Webhook: c.Webhook.Name, Round: c.Round, Outcome: a.Outcome(c), Code: c.Code,
		Error: textOf(c.Err), Patch: patchOf(c),
		Assumed: v.answered.isAssumed(callKey{c.Webhook, c.Round}),
	}
}

func patchOf(c *admission.Call) json.RawMessage {
	if !c.Changed {
		return nil
	}
	return c.Patch
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// policiesOf returns the evaluations of policies.
func policiesOf(r *admission.Response) (all []Policy) {
	for i := range r.Policies {
		p := &r.Policies[i]
		of := Policy{Phase: p.Phase.String(), Policy: p.Name, Round: p.Match.Round}
		if err := firstOf(p.Match.Err, p.Err); err != nil {
			all = append(all, of.failed(err))
		}
		for j := range p.Bindings {
			b := &p.Bindings[j]
			of.Binding = b.Name
			if err := firstOf(b.Match.Err, b.Err); err != nil {
				all = append(all, of.failed(err))
			}
			for _, e := range b.Evaluations {
				all = append(all, of.evaluated(p.Phase, e))
			}
		}
	}
	return all
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// failed returns the evaluation with an error.
func (p Policy) failed(err error) Policy {
	p.Outcome, p.Messages = "error", []string{err.Error()}
	return p
}

// evaluated returns the evaluation with its outcome.
func (p Policy) evaluated(phase admission.Phase, e *admission.PolicyEvaluation) Policy {
	p.Param = e.Param
	switch {
	case e.Err != nil:
		return p.failed(e.Err)
	case e.Conditions == admission.ConditionsFalse:
		p.Outcome = "skipped"
	case phase == admission.Mutating:
		p.mutated(e.Mutations)
	default:
		p.validated(e.Decisions)
	}
	return p
}

func (p *Policy) mutated(all []admission.PolicyMutation) {
	p.Outcome = "unchanged"
	for _, m := range all {
		switch {
		case m.Err != nil:
			*p = p.failed(m.Err)
			return
		case !equality.Semantic.DeepEqual(m.Before, m.After):
			p.Outcome = "mutated"
		}
	}
}

func (p *Policy) validated(all []admission.PolicyDecision) {
	p.Outcome = "passed"
	for _, d := range all {
		switch {
		case d.Failed:
			p.Outcome = "error"
		case d.Denied && p.Outcome == "passed":
			p.Outcome = "failed"
		}
		if d.Denied || d.Failed {
			p.Messages = append(p.Messages, d.Message)
		}
	}
}
