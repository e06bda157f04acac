package matching

import (
	"context"
	"fmt"
	"math"
	"time"
	"unique"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apicel "k8s.io/apiserver/pkg/cel"

	"example.com/gatehouse/admission"
)

// MatchConditions evaluates the matchConditions of w for a match of MatchRules,
// and applies the failurePolicy to their errors. The object of versioned has
// the kind m.Target.Kind. MatchConditions sets m.Conditions, and m.Stage and
// m.Err if the conditions exclude the webhook or fail. A webhook without
// conditions stays matched.
func (w *Webhook) MatchConditions(
	ctx context.Context, v *View, versioned *apiadmission.VersionedAttributes, m *admission.Match,
) {
	if len(w.conditions) == 0 {
		return
	}
	m.Conditions = w.evaluate(ctx, v, versioned)
	passed, err := w.applyFailurePolicy(&m.Conditions)
	if err != nil {
		m.Err = apierrors.NewForbidden(v.query.Resource.GroupResource(), v.current.GetName(), err)
	}
	if err != nil || !passed {
		m.Stage = admission.StageConditions
	}
}

// applyFailurePolicy reports whether the webhook is called after its conditions
// gave c (S-151). The error ends the request.
func (w *Webhook) applyFailurePolicy(c *admission.Conditions) (bool, error) {
	switch c.Verdict {
	case admission.ConditionsFalse:
		return false, nil
	case admission.ConditionsFailed, admission.ConditionsAborted:
		switch {
		case w.FailurePolicy == nil || *w.FailurePolicy == registrationv1.Fail:
			return false, c.Err
		case w.IgnoresFailures():
			return false, nil
		}
		// Compat: S-152: under an unknown policy, the webhook is called in
		// spite of the errors.
	}
	return true, nil
}

// evaluated is the result of conditions for a version of the object. It is the
// same for all webhooks with these conditions: their budgets are equal, and so
// is what they pay. Without it, 20 webhooks with equal conditions take 1.7 times
// as long.
type evaluated struct {
	kind          schema.GroupVersionKind
	conditionsKey unique.Handle[string]
	conditions    admission.Conditions
}

// evaluate evaluates the conditions, or returns the result of an earlier
// webhook with the same conditions.
func (w *Webhook) evaluate(
	ctx context.Context, v *View, versioned *apiadmission.VersionedAttributes,
) admission.Conditions {
	for i := range v.evaluatedConditions {
		if e := &v.evaluatedConditions[i]; e.conditionsKey == w.conditionsKey &&
			e.kind == versioned.VersionedKind {
			return e.conditions
		}
	}
	stop := v.stopwatch()
	c := w.evaluateAll(ctx, v, v.activation(versioned))
	v.evaluatedConditions = append(v.evaluatedConditions,
		evaluated{versioned.VersionedKind, w.conditionsKey, c})
	c.Elapsed = stop()
	return c
}

// evaluateAll evaluates all conditions before it looks for the first that is
// false. It does not stop early, because metrics count the errors of conditions
// behind a false one, too (S-150).
func (w *Webhook) evaluateAll(ctx context.Context, v *View, a *activation) admission.Conditions {
	results, err := w.evaluateEach(ctx, v, a)
	c := admission.Conditions{Verdict: admission.ConditionsTrue}
	if v.in.Record {
		c.Results = results
	}
	if err != nil {
		c.Verdict, c.Err = admission.ConditionsAborted, err
		return c
	}
	var failures []error
	for i := range results {
		switch result := &results[i]; {
		case result.Err != nil:
			if c.Errors++; c.Errors == 1 {
				c.Failed = result.Name
			}
			failures = append(failures, result.Err)
		case !result.Value:
			c.Verdict, c.Excluded = admission.ConditionsFalse, result.Name
			return c
		}
	}
	if len(failures) > 0 {
		c.Verdict, c.Err = admission.ConditionsFailed, utilerrors.NewAggregate(failures)
	}
	return c
}

// evaluateEach evaluates the conditions until the cost budget that they share
// is spent. The error says why it did not evaluate all of them (S-149).
//
// It counts the costs only if it has to: for a record, which has them, or if
// the sum of the highest possible costs exceeds the budget.
func (w *Webhook) evaluateEach(
	ctx context.Context, v *View, a *activation,
) ([]admission.ConditionResult, error) {
	if a.err != nil {
		return nil, a.err
	}
	if !v.in.Record {
		results, err := w.evaluateUnder(ctx, v, a, conditionsBudget/uint64(len(w.conditions)))
		if err == nil {
			return results, nil
		}
	}
	return w.evaluateUnder(ctx, v, a, 0)
}

// conditionsBudget is the cost budget of a webhook's conditions.
const conditionsBudget = celconfig.RuntimeCELCostBudgetMatchConditions

// evaluateUnder evaluates the conditions. It counts the cost of those that may
// cost more than limit.
func (w *Webhook) evaluateUnder(
	ctx context.Context, v *View, a *activation, limit uint64,
) ([]admission.ConditionResult, error) {
	results := v.results[:0]
	if v.in.Record { // the record keeps them
		results = make([]admission.ConditionResult, 0, len(w.conditions))
	} else {
		defer func() { v.results = results }()
	}
	budget := int64(conditionsBudget)
	for i := range w.conditions {
		c := &w.conditions[i]
		result := admission.ConditionResult{Name: c.name, Expression: c.program.Expression}
		if c.program.Err != nil {
			result.Err = &apicel.Error{
				Type:   apicel.ErrorTypeInvalid,
				Detail: fmt.Sprintf("compilation error: %v", c.program.Err),
				Cause:  c.program.Err,
			}
			results = append(results, result)
			continue
		}
		e := v.evaluate(ctx, a, c.program, limit)
		if err := charge(&budget, e, c.program.Expression); err != nil {
			return results, err
		}
		result.Cost = e.cost
		result.Value, result.Err = e.result(c.program.Expression)
		results = append(results, result)
	}
	return results, nil
}

// charge subtracts the cost of an evaluation from the webhook's budget. A
// webhook pays also for an evaluation whose result it shares with an earlier
// webhook.
func charge(budget *int64, e evaluation, expression string) error {
	if !e.priced {
		detail := fmt.Sprintf("runtime cost could not be calculated for expression: %v, no further expression will be run", expression)
		return &apicel.Error{Type: apicel.ErrorTypeInvalid, Detail: detail, Cause: apicel.ErrOutOfBudget}
	}
	if e.cost > math.MaxInt64 || int64(e.cost) > *budget {
		return &apicel.Error{
			Type:   apicel.ErrorTypeInvalid,
			Detail: "validation failed due to running out of cost budget, no further validation rules will be run",
			Cause:  apicel.ErrOutOfBudget,
		}
	}
	*budget -= int64(e.cost)
	return nil
}

// result returns the value of the expression, or the error that kube-apiserver
// makes of a failed evaluation.
func (e evaluation) result(expression string) (bool, error) {
	if e.err != nil {
		return false, &apicel.Error{
			Type:   apicel.ErrorTypeInvalid,
			Detail: fmt.Sprintf("expression '%v' resulted in error: %v", expression, e.err),
		}
	}
	return e.value, nil
}

// stopwatch starts to measure time; stop returns the time since then, or 0
// without a clock.
func (v *View) stopwatch() (stop func() time.Duration) {
	if v.in.Now == nil {
		return func() time.Duration { return 0 }
	}
	start := v.in.Now()
	return func() time.Duration { return v.in.Now().Sub(start) }
}

// activation returns the CEL variables for a version of the object. All
// webhooks that ask for the version share them.
func (v *View) activation(versioned *apiadmission.VersionedAttributes) *activation {
	kind := versioned.VersionedKind
	if a, ok := v.activations[kind]; ok {
		return a
	}
	if v.activations == nil {
		v.activations = map[schema.GroupVersionKind]*activation{}
	}
	a := newActivation(versioned, v.in.Authorizer)
	v.activations[kind] = a
	return a
}
