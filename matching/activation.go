package matching

import (
	"context"
	"fmt"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/library"

	"example.com/gatehouse/internal/cel"
)

// activation holds the CEL variables for one version of the object (S-140).
type activation struct {
	versioned *apiadmission.VersionedAttributes
	// err is set if the objects cannot be converted to CEL values.
	err error

	object, oldObject, request, namespace any
	authorizer, requestResource           any
	size                                  variableSize
}

func newActivation(
	v *apiadmission.VersionedAttributes, authz authorizer.UnconditionalAuthorizer,
) *activation {
	a := &activation{versioned: v}
	a.object, a.oldObject, a.err = objectValues(v)
	if a.err != nil {
		return a
	}
	// request.resource is the request's own even if an equivalent resource
	// matched, while request.kind has the version that the webhook asks for
	// (S-134).
	a.request = common.SchemalessTypedToVal(celplugin.CreateAdmissionRequest(v.Attributes,
		metav1.GroupVersionResource(v.GetResource()), metav1.GroupVersionKind(v.VersionedKind)))
	// Compat: S-140: namespaceObject is declared and always null.
	a.namespace = common.SchemalessTypedToVal((*corev1.Namespace)(nil))
	if authz != nil {
		a.authorizer = library.NewAuthorizerVal(v.GetUserInfo(), authz)
		a.requestResource = library.NewResourceAuthorizerVal(v.GetUserInfo(), authz, v)
	}
	return a
}

func objectValues(v *apiadmission.VersionedAttributes) (object, oldObject ref.Val, err error) {
	//lint:ignore SA1019 kube-apiserver converts objects for conditions in this way.
	v.VersionedObject.UseSchemalessTypeRef, v.VersionedOldObject.UseSchemalessTypeRef = true, true
	if oldObject, err = v.VersionedOldObject.CELValue(); err != nil {
		return nil, nil, fmt.Errorf("failed to prepare oldObject variable for evaluation: %w", err)
	}
	if object, err = v.VersionedObject.CELValue(); err != nil {
		return nil, nil, fmt.Errorf("failed to prepare object variable for evaluation: %w", err)
	}
	return object, oldObject, nil
}

// ResolveName returns the value of a variable.
func (a *activation) ResolveName(name string) (any, bool) {
	switch name {
	case celplugin.ObjectVarName:
		return a.object, true
	case celplugin.OldObjectVarName:
		return a.oldObject, true
	case celplugin.RequestVarName:
		return a.request, true
	case celplugin.NamespaceVarName:
		return a.namespace, true
	case celplugin.AuthorizerVarName:
		return a.authorizer, a.authorizer != nil
	case celplugin.RequestResourceAuthorizerVarName:
		return a.requestResource, a.requestResource != nil
	default:
		return nil, false
	}
}

// Parent returns nil: there is no enclosing scope.
func (a *activation) Parent() interpreter.Activation { return nil }

// evaluation is the result of a program for an activation.
type evaluation struct {
	value bool
	// cost is the CEL cost, or the highest that it can be; priced reports
	// whether it is known.
	cost   uint64
	priced bool
	err    error
}

// evaluate evaluates a program. It counts the cost unless the cost cannot
// exceed limit.
func (v *View) evaluate(
	ctx context.Context, a *activation, p *cel.Program, limit uint64,
) evaluation {
	// If ctx has ended, kube-apiserver interrupts long loops.
	if limit > 0 && p.Bounded != nil && ctx.Err() == nil {
		if value, cost, ok := p.Bounded.Eval(ctx, a, limit); ok {
			return evaluation{value: value, cost: cost, priced: true}
		}
	}
	return v.evaluateCounting(ctx, a, p)
}

// evaluateCounting runs a program, or returns its result from before: programs
// are pure and see the same variables until Update. Without that result, conditions that
// are evaluated once more to count their costs would ask the authorizer twice.
func (v *View) evaluateCounting(
	ctx context.Context, a *activation, p *cel.Program,
) evaluation {
	key := evaluationKey{kind: a.versioned.VersionedKind, program: p}
	if e, ok := v.evaluations[key]; ok {
		return e
	}
	value, details, err := p.Program.ContextEval(ctx, a)
	// The result type is bool, so a result that is not false is true.
	e := evaluation{value: value != celtypes.False, err: err}
	if details != nil {
		if cost := details.ActualCost(); cost != nil {
			e.cost, e.priced = *cost, true
		}
	}
	if v.evaluations == nil {
		v.evaluations = make(map[evaluationKey]evaluation, 8)
	}
	v.evaluations[key] = e
	return e
}
