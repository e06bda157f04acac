package admission

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// PolicyRecord records a policy in one round: whether it applies to the
// request, and the effect of each of its bindings. Observers receive a
// PolicyRecord for every policy of the phase. Do not modify it.
type PolicyRecord struct {
	// Phase is Mutating for a MutatingAdmissionPolicy, and Validating for a
	// ValidatingAdmissionPolicy.
	Phase Phase
	// Name is the metadata.name of the policy.
	Name string
	// ParamKind is the kind of the params; empty without any.
	ParamKind schema.GroupVersionKind
	// Match is the match of the matchConstraints. Its Webhook is a stand-in with
	// the policy's name, rules and selectors, and Index the position of the
	// policy by name. StagePassed means that the policy applies.
	Match Match
	// Bindings are the policy's bindings, by name. It is empty if the policy
	// does not apply.
	Bindings []BindingRecord
	// Err is the reason why the policy cannot be evaluated with any binding: a
	// params kind that does not exist, or a selector that cannot be parsed. The
	// failurePolicy decides whether it denies the request.
	Err error
}

// Kind returns the kind of the policy.
func (p *PolicyRecord) Kind() string {
	if p.Phase == Mutating {
		return "MutatingAdmissionPolicy"
	}
	return "ValidatingAdmissionPolicy"
}

// BindingRecord records a binding of a policy that applies.
type BindingRecord struct {
	// Name is the metadata.name of the binding.
	Name string
	// Match is the match of the matchResources, as for the policy. It is
	// StagePassed if there are none.
	Match Match
	// Err is the reason why the binding cannot be evaluated, such as params
	// that do not exist. The policy's failurePolicy decides whether it denies
	// the request.
	Err error
	// Actions are the validationActions; empty for a mutating policy.
	Actions []string
	// Params are the params of the binding, as NAMESPACE/NAME or NAME. A
	// binding without a paramRef has one without a name. Params is empty if the
	// binding does not match, or if its params do not exist and the binding
	// allows that.
	Params []string
	// Evaluations has one entry for each param, or fewer in the second round,
	// depending on the reinvocationPolicy.
	Evaluations []*PolicyEvaluation
}

// PolicyEvaluation is the evaluation of a policy with one binding and param.
type PolicyEvaluation struct {
	// Param is the param, as NAMESPACE/NAME or NAME; empty without one.
	Param string
	// Expressions are all expressions that were evaluated, in their order. A
	// variable comes before the expression that first used it.
	Expressions []ExpressionResult
	// Conditions is the common result of the matchConditions.
	Conditions Verdict
	// Excluded is the name of the first condition that was false.
	Excluded string
	// Err is an error that ended the evaluation.
	Err error
	// Decisions are the results of the validations, in their order.
	Decisions []PolicyDecision
	// Annotations are the published audit annotations, without the name of the
	// policy.
	Annotations []AuditAnnotation
	// Mutations are the executed mutations, in their order.
	Mutations []PolicyMutation
}

// ExpressionResult is the evaluation of one CEL expression.
type ExpressionResult struct {
	// Field is the path of the expression in the policy's spec, such as
	// validations[0].expression.
	Field string
	// Value is the result as CEL prints it, truncated if it is long; empty with
	// Err.
	Value string
	Err   error
	// Cost is the cost of the expression, without the variables that it uses.
	// PolicyCostBudget limits the expressions of an evaluation together.
	Cost    uint64
	Elapsed time.Duration
}

// PolicyCostBudget limits the cost of the expressions of one evaluation: once
// for the validations and their messages, once for the audit annotations, and
// once for each mutation. The limit of the matchConditions is a quarter of it.
const PolicyCostBudget = 10_000_000

// PolicyDecision is the result of a validation.
type PolicyDecision struct {
	// Denied reports whether the validation failed. The actions of the binding
	// decide the effect.
	Denied bool
	// Failed reports that it could not be evaluated. The failurePolicy then
	// decides whether it is denied.
	Failed  bool
	Message string
	Reason  metav1.StatusReason
}

// PolicyMutation is a mutation of an object.
type PolicyMutation struct {
	// Index is the position in the policy's mutations.
	Index int
	// Err is the reason why the object was not changed.
	Err error
	// Before and After are the object in the version that the policy receives,
	// before defaulting. After is nil if there is an error.
	Before, After runtime.Object
}
