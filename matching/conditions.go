package matching

import (
	"context"
	"fmt"
	"math"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apicel "k8s.io/apiserver/pkg/cel"

	"example.com/gatehouse/admission"
)

// matchConditions evaluates the conditions and applies the failurePolicy to
// their errors. An error that it returns ends the request.
func (w *Webhook) matchConditions(ctx context.Context, r *Request, m *admission.Match) (bool, error) {
	versioned, err := r.in.Versioned(m.Target.Kind)
	if err != nil {
		return false, apierrors.NewInternalError(err)
	}
	m.Conditions = w.evaluate(ctx, r, versioned)
	passed, err := w.judge(&m.Conditions)
	if err != nil {
		return false, apierrors.NewForbidden(r.ask.resource.GroupResource(), r.current.GetName(), err)
	}
	return passed, nil
}

// judge says what a verdict means for the webhook (S-151).
func (w *Webhook) judge(c *admission.Conditions) (bool, error) {
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
		// Compat: S-152: under a policy that nobody knows, errors are no
		// obstacle.
	}
	return true, nil
}

// evaluate returns what the conditions give, from memory if another webhook has the
// same.
func (w *Webhook) evaluate(ctx context.Context, r *Request, versioned versionedAttributes) admission.Conditions {
	for i := range r.verdicts {
		if v := &r.verdicts[i]; v.same == w.same && v.kind == versioned.VersionedKind {
			return v.conditions
		}
	}
	stop := r.time()
	c := w.evaluateAll(ctx, r, r.activation(versioned))
	r.verdicts = append(r.verdicts, verdict{versioned.VersionedKind, w.same, c})
	c.Elapsed = stop()
	return c
}

// evaluateAll runs all conditions, then looks for the first that is false: there
// is no short circuit, so that errors are counted alike whatever comes after them
// (S-150).
func (w *Webhook) evaluateAll(ctx context.Context, r *Request, a *activation) admission.Conditions {
	results, err := w.run(ctx, r, a)
	c := admission.Conditions{Verdict: admission.ConditionsTrue}
	if r.in.Record {
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
			c.Errors++
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

// run evaluates the conditions under the budget that they share. The error says
// why it stopped half-way (S-149).
func (w *Webhook) run(ctx context.Context, r *Request, a *activation) ([]admission.ConditionResult, error) {
	if a.err != nil {
		return nil, a.err
	}
	results := r.results[:0]
	if r.in.Record { // somebody keeps them
		results = make([]admission.ConditionResult, 0, len(w.conditions))
	} else {
		defer func() { r.results = results }()
	}
	budget := int64(celconfig.RuntimeCELCostBudgetMatchConditions)
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
		e := r.evaluate(ctx, a, c.program)
		if err := charge(&budget, e, c.program.Expression); err != nil {
			return results, err
		}
		result.Cost = e.cost
		result.Value, result.Err = e.outcome(c.program.Expression)
		results = append(results, result)
	}
	return results, nil
}

// charge takes the cost of an evaluation from a webhook's budget. Every webhook
// pays, also for what another one had evaluated before.
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

// outcome returns an evaluation as a condition sees it.
func (e evaluation) outcome(expression string) (bool, error) {
	if e.err != nil {
		return false, &apicel.Error{
			Type:   apicel.ErrorTypeInvalid,
			Detail: fmt.Sprintf("expression '%v' resulted in error: %v", expression, e.err),
		}
	}
	return e.value, nil
}

// time starts the clock and returns what stops it.
func (r *Request) time() (stop func() time.Duration) {
	if r.in.Now == nil {
		return func() time.Duration { return 0 }
	}
	start := r.in.Now()
	return func() time.Duration { return r.in.Now().Sub(start) }
}

// activation returns the variables for a version of the object, made once.
func (r *Request) activation(v versionedAttributes) *activation {
	kind := v.VersionedKind
	if a, ok := r.activations[kind]; ok {
		return a
	}
	if r.activations == nil {
		r.activations = map[schema.GroupVersionKind]*activation{}
	}
	a := newActivation(v, r.in.Authorizer)
	r.activations[kind] = a
	return a
}
