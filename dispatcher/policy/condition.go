package policy

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
)

// composedCondition evaluates expressions that may use the variables of a
// policy.
type composedCondition struct {
	cel.ConditionEvaluator
	variables *cel.CompositedCompiler
}

// ForInput implements cel.ConditionEvaluator.
func (c *composedCondition) ForInput(
	ctx context.Context, a *apiadmission.VersionedAttributes, r *admissionv1.AdmissionRequest,
	o cel.OptionalVariableBindings, ns *corev1.Namespace, budget int64,
) ([]cel.EvaluationResult, int64, error) {
	return c.ConditionEvaluator.ForInput(c.variables.CreateContext(ctx), a, r, o, ns, budget)
}
