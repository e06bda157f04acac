package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/metrics"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
)

// mutating is the run of one round of the mutating policies.
type mutating struct {
	*run
	state    *state
	versions map[schema.GroupVersionKind]*apiadmission.VersionedAttributes
	// last is the version that a policy changed last; nil if none did.
	last     *apiadmission.VersionedAttributes
	failures []mutationFailure
}

// invocation is a policy with a binding and a param.
type invocation struct {
	*applied
	binding *appliedBinding
	param   runtime.Object
}

// mutate evaluates mutating policies.
func (r *run) mutate(ctx context.Context, policies []*applied) error {
	m := &mutating{run: r, versions: map[schema.GroupVersionKind]*apiadmission.VersionedAttributes{}}
	if invocations := m.prepare(policies); len(invocations) > 0 {
		if err := m.invokeAll(ctx, invocations); err != nil {
			return err
		}
	}
	return denied(r.attributes, m.failures)
}

// prepare returns the invocations. What cannot be used is a failure.
func (m *mutating) prepare(policies []*applied) (all []invocation) {
	for _, p := range policies {
		if p.err != nil {
			m.fail(p, "", fmt.Errorf("failed to configure policy: %w", p.err), "")
			continue
		}
		for i := range p.bindings {
			b := &p.bindings[i]
			if _, err := m.object(p.target.Kind); err != nil && !b.unmatched {
				m.fail(p, "", fmt.Errorf("failed to configure policy: %w", err), "")
				continue
			}
			if b.err != nil {
				m.fail(p, b.name, fmt.Errorf("failed to configure binding: %w", b.err), "")
				continue
			}
			for _, param := range b.params {
				all = append(all, invocation{p, b, param})
			}
		}
	}
	return all
}

// object returns the object in a version.
func (m *mutating) object(kind schema.GroupVersionKind) (*apiadmission.VersionedAttributes, error) {
	if object := m.versions[kind]; object != nil {
		return object, nil
	}
	object, err := apiadmission.NewVersionedAttributes(m.attributes, kind, m.objects)
	if err == nil {
		m.versions[kind] = object
	}
	return object, err
}

// invokeAll makes the invocations in order and writes the object back.
func (m *mutating) invokeAll(ctx context.Context, all []invocation) error {
	m.state = stateOf(m.attributes.GetReinvocationContext())
	m.state.begin(m.attributes)
	defer func() { m.state.end(m.attributes) }()
	if _, err := m.namespace(ctx); err != nil {
		return namespaceError(err, m.attributes.GetNamespace())
	}
	for i := range all {
		if err := m.refresh(all[i].target.Kind); err != nil {
			return err
		}
		if err := m.invoke(ctx, &all[i]); err != nil {
			return err
		}
	}
	return m.writeBack()
}

// namespaceError is the error for a namespace that cannot be looked up.
func namespaceError(err error, name string) error {
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		return status
	}
	return apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}

// refresh has the next policy see what policies with other versions changed.
// With Exact it does nothing, and their changes are lost.
func (m *mutating) refresh(kind schema.GroupVersionKind) error {
	if m.Exact || m.last == nil || m.last.VersionedKind == kind {
		return nil
	}
	if err := m.writeBack(); err != nil {
		return err
	}
	m.last = nil
	clear(m.versions)
	return nil
}

// invoke makes an invocation. Its error ends the request whatever the
// failurePolicy.
func (m *mutating) invoke(ctx context.Context, v *invocation) error {
	if len(v.mutating.patchers) != v.mutating.count {
		return apierrors.NewInternalError(fmt.Errorf("expected %v compiled evaluators for policy %v, got %v",
			v.mutating.count, v.name, len(v.mutating.patchers)))
	}
	object, err := m.object(v.target.Kind)
	if err != nil {
		return apierrors.NewInternalError(err)
	}
	key := v.key()
	due := m.state.due(m.attributes, key)
	var record *admission.PolicyEvaluation
	if v.conditions != nil || due {
		ctx, record = v.begin(ctx, v.binding, v.param)
	}
	if v.conditions != nil {
		matched, err := v.matchConditions(ctx, m.run, input{object: object, param: v.param}, record)
		if err != nil {
			m.fail(v.applied, v.binding.name, err, metav1.StatusReasonInvalid)
		}
		if err != nil || !matched {
			return nil
		}
	}
	if !due {
		return nil
	}
	return m.apply(ctx, v, object, key, record)
}

// apply applies the mutations of an invocation.
func (m *mutating) apply(
	ctx context.Context, v *invocation, object *apiadmission.VersionedAttributes, key key,
	record *admission.PolicyEvaluation,
) error {
	if v.expressions != nil {
		ctx = v.CreateContext(ctx)
	}
	before := object.VersionedObject.Object()
	failpoint.Hit(ctx, failpoint.BeforeEvaluation)
	for i, p := range v.mutating.patchers {
		m.last = object
		if object.VersionedObject.Object() == nil {
			continue
		}
		began := time.Now()
		err := m.patch(ctx, p, v, object, i, record)
		elapsed := time.Since(began)
		if err == nil {
			metrics.Metrics.ObserveAdmission(ctx, elapsed, v.name, v.binding.name, metrics.MutationNoError)
			continue
		}
		metrics.Metrics.ObserveRejection(ctx, elapsed, v.name, v.binding.name, mutationErrorType(err))
		var status *apierrors.StatusError
		if errors.As(err, &status) {
			return status
		}
		m.fail(v.applied, v.binding.name, err, metav1.StatusReasonInvalid)
	}
	failpoint.Hit(ctx, failpoint.AfterEvaluation)
	if !apiequality.Semantic.DeepEqual(before, object.VersionedObject.Object()) {
		m.state.changed(m.attributes)
	}
	if v.mutating.reinvocable {
		m.state.invoked[key] = true
	}
	return nil
}

// patch applies a mutation.
func (m *mutating) patch(
	ctx context.Context, p patch.Patcher, v *invocation, object *apiadmission.VersionedAttributes,
	index int, record *admission.PolicyEvaluation,
) error {
	types := m.Types(ctx, object.VersionedKind)
	if types == nil {
		return apierrors.NewServiceUnavailable(fmt.Sprintf("Resource kind %s not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.", object.VersionedKind))
	}
	before := object.VersionedObject.Object()
	patched, err := p.Patch(ctx, patch.Request{
		MatchedResource: v.target.Resource, VersionedAttributes: object, ObjectInterfaces: m.objects,
		OptionalVariables: cel.OptionalVariableBindings{
			VersionedParams: v.param, Authorizer: m.authorizer,
		},
		Namespace: m.ns, TypeConverter: types,
	}, celconfig.RuntimeCELCostBudget)
	recordMutation(record, index, before, patched, err)
	if err != nil {
		return err
	}
	if _, custom := before.(runtime.Unstructured); !custom {
		// Compat: it is the version of the request, not that of the policy.
		to := object.GetKind().GroupVersion()
		patched, err = m.objects.GetObjectConvertor().ConvertToVersion(patched, to)
		if err != nil {
			return err
		}
	}
	m.objects.GetObjectDefaulter().Default(patched)
	object.UpdateObject(patched)
	return nil
}

// recordMutation records copies of the objects, because they change later.
func recordMutation(
	record *admission.PolicyEvaluation, index int, before, after runtime.Object, err error,
) {
	if record == nil {
		return
	}
	m := admission.PolicyMutation{Index: index, Err: err, Before: before.DeepCopyObject()}
	if err == nil {
		m.After = after.DeepCopyObject()
	}
	record.Mutations = append(record.Mutations, m)
}

// writeBack converts the last version to the request's object. A mutation asks
// for a second round even if it changed nothing.
func (m *mutating) writeBack() error {
	if m.last == nil || m.last.VersionedObject.Object() == nil || !m.last.Dirty {
		return nil
	}
	m.state.changed(m.attributes)
	object := m.last.VersionedObject.Object()
	err := m.objects.GetObjectConvertor().Convert(object, m.attributes.GetObject(), nil)
	if err != nil {
		return apierrors.NewInternalError(fmt.Errorf("failed to convert object: %w", err))
	}
	return nil
}

// mutationErrorType returns the label of a metric for an error.
func mutationErrorType(err error) metrics.MutationErrorType {
	switch {
	case strings.HasPrefix(err.Error(), "compilation"):
		return metrics.MutationCompileError
	case strings.HasPrefix(err.Error(), outOfBudget):
		return metrics.MutatingOutOfBudget
	}
	return metrics.MutatingInvalidError
}

// mutationFailure is a reason to deny a request.
type mutationFailure struct {
	message string
	reason  metav1.StatusReason
}

// fail applies the failurePolicy.
func (m *mutating) fail(p *applied, binding string, err error, reason metav1.StatusReason) {
	if p.ignoresFailures() {
		return
	}
	message := fmt.Sprintf("policy %q denied request: %s", p.name, err)
	if binding != "" {
		message = fmt.Sprintf("policy '%s' with binding '%s' denied request: %s", p.name, binding, err)
	}
	m.failures = append(m.failures, mutationFailure{message, reason})
}

// denied returns the error that the client receives; nil without failures. The
// first one decides.
func denied(a apiadmission.Attributes, failures []mutationFailure) error {
	if len(failures) == 0 {
		return nil
	}
	err := apiadmission.NewForbidden(a, errors.New("admission request denied by policy"))
	status, ok := err.(*apierrors.StatusError)
	if !ok {
		return err // not reached: NewForbidden returns no other
	}
	status.ErrStatus.Message = failures[0].message
	if failures[0].reason != "" {
		status.ErrStatus.Reason = failures[0].reason
	}
	for _, f := range failures {
		status.ErrStatus.Details.Causes = append(status.ErrStatus.Details.Causes,
			metav1.StatusCause{Message: f.message})
	}
	return status
}
