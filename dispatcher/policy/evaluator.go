package policy

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/engine/guard"
)

// Config configures an Evaluator. New reads it once.
type Config struct {
	// Source returns the policies in force. Required.
	Source Source
	// Namespaces looks up namespaces, for namespaceSelectors and for the variable
	// namespaceObject. Required.
	Namespaces Namespaces
	// Authorizer performs the authorizer checks of expressions. Required.
	Authorizer authorizer.UnconditionalAuthorizer
	// Types returns the schema for merging mutations of a kind. If it is nil
	// for a kind, a mutation of this kind ends the request with 503, whatever
	// the failurePolicy, as in kube-apiserver. It returns when the context
	// ends. Required for mutations.
	Types func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter
	// Excluded reports whether no policy may receive requests for a resource.
	// Nil means dispatcher.DefaultExcluded.
	Excluded func(schema.GroupResource) bool
	// Exact keeps only the changes of the last version if mutating policies use
	// several, as kube-apiserver does; see the package comment.
	Exact bool
}

// Source returns the policies in force.
type Source interface {
	// Current returns the policies in force now. An Evaluator calls it once per
	// request and phase, from many goroutines. A source that is not ready, or that
	// is compiling a change, may wait until it is ready, or until ctx is done, and
	// then return dispatcher.ErrNotReady, which the client receives as 403
	// Forbidden.
	Current(ctx context.Context) (*Set, error)
}

// Namespaces looks up namespaces.
type Namespaces interface {
	// Namespace returns a namespace, which the caller does not modify. If it does
	// not exist, the error is apimachinery's NotFound.
	Namespace(ctx context.Context, name string) (*corev1.Namespace, error)
}

// NamespacesFunc is a function that implements Namespaces.
type NamespacesFunc func(ctx context.Context, name string) (*corev1.Namespace, error)

// Namespace calls f.
func (f NamespacesFunc) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	return f(ctx, name)
}

// Evaluator runs requests through policies. See New.
type Evaluator struct{ config Config }

var _ dispatcher.Policies = (*Evaluator)(nil)

// New returns an evaluator, or an error that names the field that is missing.
func New(config Config) (*Evaluator, error) {
	switch {
	case config.Source == nil:
		return nil, errors.New("policy: Config.Source is required")
	case config.Namespaces == nil:
		return nil, errors.New("policy: Config.Namespaces is required")
	case config.Authorizer == nil:
		return nil, errors.New("policy: Config.Authorizer is required")
	}
	if config.Excluded == nil {
		config.Excluded = dispatcher.DefaultExcluded().Has
	}
	if config.Types == nil {
		config.Types = func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter {
			return nil
		}
	}
	return &Evaluator{config}, nil
}

// Admit implements dispatcher.Policies: it runs one round of the mutating
// policies. It requests a second round from the reinvocation context if a
// policy executed a mutation, whether or not that changed the object, as in
// kube-apiserver.
func (e *Evaluator) Admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
	recorder dispatcher.PolicyRecorder,
) error {
	return e.run(ctx, admission.Mutating, a, o, recorder, (*run).mutate)
}

// Validate implements dispatcher.Policies: it runs the validating policies.
func (e *Evaluator) Validate(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
	recorder dispatcher.PolicyRecorder,
) error {
	return e.run(ctx, admission.Validating, a, o, recorder, (*run).validate)
}

// run matches the policies of a phase and evaluates those that apply.
func (e *Evaluator) run(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces, recorder dispatcher.PolicyRecorder,
	evaluate func(*run, context.Context, []*applied) error,
) (err error) {
	defer guard.Recover(func(panicked error) { err = apierrors.NewInternalError(panicked) })
	if !e.sees(phase, a) {
		return nil
	}
	set, err := e.config.Source.Current(ctx)
	switch {
	case errors.Is(err, dispatcher.ErrNotReady):
		return apiadmission.NewForbidden(a, dispatcher.ErrNotReady)
	case err != nil:
		return apierrors.NewInternalError(err)
	}
	if len(set.policies(phase)) == 0 {
		return nil
	}
	r := newRun(e, phase, a, o, recorder)
	policies := r.match(ctx, set)
	defer r.report(ctx)
	if len(policies) == 0 {
		return nil
	}
	return evaluate(r, ctx, policies)
}

// exempt are the resources that policies do not see, because they could prevent
// their own repair.
var exempt = map[string]bool{
	"validatingadmissionpolicies": true, "validatingadmissionpolicybindings": true,
	"mutatingadmissionpolicies": true, "mutatingadmissionpolicybindings": true,
}

// sees reports whether policies of a phase may see a request. A DELETE has no
// object to change.
func (e *Evaluator) sees(phase admission.Phase, a apiadmission.Attributes) bool {
	switch a.GetOperation() {
	case apiadmission.Create, apiadmission.Update, apiadmission.Connect:
	case apiadmission.Delete:
		if phase == admission.Mutating {
			return false
		}
	default:
		return false
	}
	resource := a.GetResource().GroupResource()
	return !e.config.Excluded(resource) &&
		!(resource.Group == "admissionregistration.k8s.io" && exempt[resource.Resource])
}

// namespaceLabels are the labels of namespaces.
type namespaceLabels struct{ Namespaces }

// Labels implements matching.Namespaces.
func (n namespaceLabels) Labels(ctx context.Context, name string) (map[string]string, error) {
	ns, err := n.Namespace(ctx, name)
	if err != nil {
		return nil, err
	}
	return ns.Labels, nil
}
