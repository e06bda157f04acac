package explain

// Policy describes an admission policy in one round.
type Policy struct {
	// Kind is MutatingAdmissionPolicy or ValidatingAdmissionPolicy.
	Kind string `json:"kind"`
	PolicyMatch
	// Bindings are the bindings of a policy that applies.
	Bindings []PolicyBinding `json:"bindings,omitempty"`
}

// PolicyMatch says whether a policy or a binding applies to a request. For a
// policy the evidence is about matchConstraints, for a binding about
// matchResources.
type PolicyMatch struct {
	Name    string `json:"name"`
	Applies bool   `json:"applies"`
	// Stage, Reason and Hint are those of Webhook, if it does not apply.
	Stage  string `json:"stage"`
	Reason string `json:"reason,omitempty"`
	Hint   string `json:"hint,omitempty"`
	// Error is why it cannot be evaluated, such as params that do not exist.
	// The failurePolicy of the policy decides whether that denies the request.
	Error string `json:"error,omitempty"`
	Match Match  `json:"match"`
	// Spec has the rules and selectors.
	Spec Spec `json:"spec"`
}

// PolicyBinding describes a binding of a policy that applies.
type PolicyBinding struct {
	PolicyMatch
	// Actions are the validationActions; empty for a mutating policy.
	Actions []string `json:"actions,omitempty"`
	// Evaluations has one entry per evaluated param. It is empty in round 1 if
	// the reinvocationPolicy did not require another evaluation.
	Evaluations []PolicyEvaluation `json:"evaluations,omitempty"`
}

// PolicyEvaluation is the evaluation of a policy with one binding and param.
type PolicyEvaluation struct {
	// Param is the param, as NAMESPACE/NAME or NAME; empty without one.
	Param string `json:"param,omitempty"`
	// Excluded is the matchCondition that was false; empty if none was.
	Excluded string `json:"excluded,omitempty"`
	// Error is the error of the matchConditions; empty if they had a result.
	Error string `json:"error,omitempty"`
	// Expressions are the evaluated expressions, in order. Cost is the sum of
	// their costs, and CostBudget its limit.
	Expressions []Expression `json:"expressions,omitempty"`
	Cost        uint64       `json:"cost"`
	// Validations are the results of the validations, in order.
	Validations []PolicyValidation `json:"validations,omitempty"`
	// AuditAnnotations are the published ones, without the name of the policy.
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
	// Mutations are the mutations, in order.
	Mutations []PolicyMutation `json:"mutations,omitempty"`
}

// Expression is the evaluation of a CEL expression.
type Expression struct {
	// Field is its path in the policy's spec, such as variables[0].expression.
	Field string `json:"field"`
	// Value is the result as CEL prints it, truncated if it is long. It is
	// empty if Error is set, or if the expression may have read a Secret.
	Value string `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
	Cost  uint64 `json:"cost"`
}

// PolicyValidation is the result of a validation.
type PolicyValidation struct {
	// Denied reports that the validation failed. The Actions of the binding
	// decide the effect.
	Denied bool `json:"denied"`
	// Failed reports that the validation could not be evaluated.
	Failed  bool   `json:"failed,omitempty"`
	Message string `json:"message,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// PolicyMutation is a mutation of an object.
type PolicyMutation struct {
	// Index is its position in the policy's mutations.
	Index int `json:"index"`
	// Error is why the object was not changed.
	Error string `json:"error,omitempty"`
	// Changes are those of the object, before defaulting.
	Changes []Change `json:"changes,omitempty"`
}
