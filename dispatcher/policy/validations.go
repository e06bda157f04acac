package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"example.com/gatehouse/admission"
)

// validations are what a validating policy evaluates. messages and annotations
// are nil if the policy has none.
type validations struct {
	spec                          []registrationv1.Validation
	annotationSpec                []registrationv1.AuditAnnotation
	checks, messages, annotations cel.ConditionEvaluator
}

// validated is the result of a policy with a param.
type validated struct {
	decisions   []decision
	annotations []annotation
}

// annotation is an audit annotation, or the error of its expression.
type annotation struct {
	key, value, err string
	elapsed         time.Duration
}

// input is what expressions read. request and limited, the part of the namespace
// that validations see, are nil for matchConditions.
type input struct {
	object             *apiadmission.VersionedAttributes
	request            *admissionv1.AdmissionRequest
	param              runtime.Object
	namespace, limited *corev1.Namespace
}

// validate evaluates a policy. record may be nil.
func (p *policy) validate(
	ctx context.Context, r *run, in input, record *admission.PolicyEvaluation,
) validated {
	if p.compileErr != nil {
		return p.failed(p.compileErr)
	}
	if p.conditions != nil {
		matched, err := p.matchConditions(ctx, r, in, record)
		switch {
		case err != nil:
			return p.failed(err)
		case !matched:
			return validated{}
		}
	}
	all := cel.OptionalVariableBindings{VersionedParams: in.param, Authorizer: r.authorizer}
	limited := cel.OptionalVariableBindings{VersionedParams: in.param}
	const budget = celconfig.RuntimeCELCostBudget
	v := &p.validating
	checks, left, err := v.checks.ForInput(ctx, in.object, in.request, all, in.limited, budget)
	if err != nil {
		return p.failed(err)
	}
	var messages, annotations []cel.EvaluationResult
	var messagesErr error
	if v.messages != nil {
		messages, _, messagesErr = v.messages.ForInput(
			ctx, in.object, in.request, limited, in.limited, left)
	}
	if v.annotations != nil {
		// Compat: annotations see the whole namespace, and no authorizer.
		annotations, _, err = v.annotations.ForInput(
			ctx, in.object, in.request, limited, in.namespace, budget)
	}
	if err != nil {
		return p.failed(err)
	}
	result := validated{decisions: make([]decision, len(checks))}
	for i := range checks {
		var message cel.EvaluationResult
		if i < len(messages) {
			message = messages[i]
		}
		result.decisions[i] = p.decide(i, &checks[i], &message, messagesErr)
	}
	for i := range annotations {
		if a := p.annotate(i, &annotations[i]); a.value != "" || a.err != "" {
			result.annotations = append(result.annotations, a)
		}
	}
	return result
}

// matchConditions evaluates the matchConditions.
func (p *policy) matchConditions(
	ctx context.Context, r *run, in input, record *admission.PolicyEvaluation,
) (bool, error) {
	result := p.conditions.Match(ctx, in.object, in.param, r.authorizer)
	if record != nil {
		switch {
		case result.Error != nil:
			record.Conditions, record.Err = admission.ConditionsFailed, result.Error
		case result.Matches:
			record.Conditions = admission.ConditionsTrue
		default:
			record.Conditions, record.Excluded = admission.ConditionsFalse, result.FailedConditionName
		}
	}
	return result.Matches, result.Error
}

// failed is the result of a policy that cannot be evaluated.
func (p *policy) failed(err error) validated {
	return validated{decisions: []decision{p.failure(err.Error())}}
}

// failure is the decision about a validation that cannot be evaluated.
func (p *policy) failure(message string) decision {
	return decision{PolicyDecision: admission.PolicyDecision{
		Denied: !p.ignoresFailures(), Failed: true, Message: message,
	}}
}

// decide decides about a validation. messagesErr is the error of the
// messageExpressions as a whole.
func (p *policy) decide(
	i int, check, message *cel.EvaluationResult, messagesErr error,
) (d decision) {
	switch {
	case check.Error != nil:
		d = p.failure(check.Error.Error())
	case errors.Is(messagesErr, apiservercel.ErrInternal),
		errors.Is(messagesErr, apiservercel.ErrOutOfBudget):
		d = p.failure(fmt.Sprintf("failed messageExpression: %s", messagesErr))
	case check.EvalResult != types.True:
		d.Denied, d.Reason = true, metav1.StatusReasonInvalid
		if reason := p.validating.spec[i].Reason; reason != nil {
			d.Reason = *reason
		}
		d.Message = p.message(i, message)
	}
	d.elapsed = check.Elapsed
	return d
}

// message returns the message of a failed validation: that of the
// messageExpression if it is a single line that is not too long, or else of the
// policy, or else the expression.
func (p *policy) message(i int, evaluated *cel.EvaluationResult) string {
	if evaluated.Error == nil && evaluated.EvalResult != nil {
		text, _ := evaluated.EvalResult.Value().(string)
		text = strings.TrimSpace(text)
		if text != "" && len(text) <= celconfig.MaxEvaluatedMessageExpressionSizeBytes &&
			!strings.Contains(text, "\n") {
			return text
		}
	}
	spec := &p.validating.spec[i]
	if text := strings.TrimSpace(spec.Message); text != "" {
		return text
	}
	return "failed expression: " + strings.TrimSpace(spec.Expression)
}

// annotate returns an audit annotation; without a value if there is none to
// publish.
func (p *policy) annotate(i int, r *cel.EvaluationResult) annotation {
	a := annotation{key: p.validating.annotationSpec[i].Key, elapsed: r.Elapsed}
	switch value := r.EvalResult.(type) {
	case nil:
		if r.Error != nil && !p.ignoresFailures() {
			a.err = r.Error.Error()
		}
	case types.String:
		a.value = strings.TrimSpace(string(value))
	case types.Null:
	default:
		// Compat: the failurePolicy does not apply.
		a.err = fmt.Sprintf("valueExpression '%v' resulted in unsupported return type: %v. "+
			"Return type must be either string or null.", p.validating.annotationSpec[i].ValueExpression, value.Type())
	}
	return a
}
