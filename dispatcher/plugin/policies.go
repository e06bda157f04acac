package plugin

import (
	"context"
	"errors"
	"io"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	policyconfig "k8s.io/apiserver/pkg/admission/plugin/policy/config"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/dispatcher/policy/informed"
	"example.com/gatehouse/internal/engine/guard"
)

// MutatingPolicyName and ValidatingPolicyName are the names of the plugins for
// policies, as in kube-apiserver.
const (
	MutatingPolicyName   = "MutatingAdmissionPolicy"
	ValidatingPolicyName = "ValidatingAdmissionPolicy"
)

// WithPolicies registers two more plugins: MutatingAdmissionPolicy and
// ValidatingAdmissionPolicy. They behave like those of k8s.io/apiserver, except
// that policies are in force at once and evaluated in the order of their names;
// see package dispatcher/policy. The registry must then not contain
// k8s.io/apiserver's plugins of these names, and the host must serve policies,
// bindings and its OpenAPI v3 documents. ValidateInitialization fails without
// informers, a client, a dynamic client, an authorizer and a drained notification.
// An observer that is a
// dispatcher.PolicyObserver or PolicyRecorder receives their records. The
// default is off: k8s.io/apiserver's plugins work beside these.
//
// The configuration files are those of k8s.io/apiserver's plugins, without a
// staticManifestsDir.
func WithPolicies() Option {
	return func(o *options) { o.policies = true }
}

// registerPolicies registers the plugins of WithPolicies.
func registerPolicies(plugins *apiadmission.Plugins, o options) {
	plugins.Register(MutatingPolicyName, func(file io.Reader) (apiadmission.Interface, error) {
		config, err := policyconfig.LoadMutatingConfig(file)
		if err := withoutManifests(config, err); err != nil {
			return nil, err
		}
		return &mutatingPolicies{newPolicies(admission.Mutating, o)}, nil
	})
	plugins.Register(ValidatingPolicyName, func(file io.Reader) (apiadmission.Interface, error) {
		config, err := policyconfig.LoadValidatingConfig(file)
		if err := withoutManifests(config, err); err != nil {
			return nil, err
		}
		return &validatingPolicies{newPolicies(admission.Validating, o)}, nil
	})
}

func withoutManifests(config policyconfig.PolicyConfig, err error) error {
	if err == nil && config.StaticManifestsDir != "" {
		return errors.New("staticManifestsDir: gatehouse does not read policies from manifests")
	}
	return err
}

// policies implements both plugins for policies.
type policies struct {
	*apiadmission.Handler
	host
	phase   admission.Phase
	options options
	dynamic dynamic.Interface

	// evaluator is set by ValidateInitialization, once.
	evaluator *policy.Evaluator
}

func newPolicies(phase admission.Phase, o options) *policies {
	operations := []apiadmission.Operation{
		apiadmission.Connect, apiadmission.Create, apiadmission.Update,
	}
	if phase == admission.Validating {
		operations = append(operations, apiadmission.Delete)
	}
	return &policies{
		Handler: apiadmission.NewHandler(operations...), host: newHost(), phase: phase, options: o,
	}
}

// SetDynamicClient sets the client for params of kinds that client-go does not
// know.
func (p *policies) SetDynamicClient(c dynamic.Interface) { p.dynamic = c }

// ValidateInitialization checks that the initializers have set everything, and
// creates the source and the evaluator. The errors are k8s.io/apiserver's.
func (p *policies) ValidateInitialization() error {
	switch {
	case p.factory == nil:
		return errors.New("missing informer factory")
	case p.kube == nil:
		return errors.New("missing kubernetes client")
	case p.dynamic == nil:
		return errors.New("missing dynamic client")
	case p.drained == nil:
		return errors.New("missing stop channel")
	case p.authorizer == nil:
		return errors.New("missing authorizer")
	case p.evaluator != nil:
		return nil
	}
	params := informed.NewParams(p.factory, p.kube.Discovery(), p.dynamic, p.drained)
	source, err := informed.Follow(params, p.drained, p.informers()...)
	if err != nil {
		return err
	}
	p.evaluator, err = policy.New(policy.Config{
		Source:     source,
		Namespaces: policy.NamespacesFunc(p.namespaces()),
		Authorizer: p.authorizer,
		Types:      informed.NewSchemas(p.kube.Discovery().OpenAPIV3).Types,
		Excluded:   p.excluded.Clone().Has,
		Exact:      p.options.exact,
	})
	return err
}

// informers returns those of the policies and bindings of the phase.
func (p *policies) informers() []cache.SharedIndexInformer {
	v1 := p.factory.Admissionregistration().V1()
	if p.phase == admission.Mutating {
		return []cache.SharedIndexInformer{
			v1.MutatingAdmissionPolicies().Informer(), v1.MutatingAdmissionPolicyBindings().Informer(),
		}
	}
	return []cache.SharedIndexInformer{
		v1.ValidatingAdmissionPolicies().Informer(), v1.ValidatingAdmissionPolicyBindings().Informer(),
	}
}

// namespaces looks in the informer first. A namespace may be newer than that.
func (p *policies) namespaces() func(context.Context, string) (*corev1.Namespace, error) {
	cached, live := p.factory.Core().V1().Namespaces().Lister(), p.kube.CoreV1().Namespaces()
	return func(ctx context.Context, name string) (*corev1.Namespace, error) {
		ns, err := cached.Get(name)
		if apierrors.IsNotFound(err) {
			return live.Get(ctx, name, metav1.GetOptions{})
		}
		return ns, err
	}
}

// evaluate is policy.Evaluator.Admit or Validate.
type evaluate func(
	*policy.Evaluator, context.Context, apiadmission.Attributes, apiadmission.ObjectInterfaces,
	dispatcher.PolicyRecorder,
) error

// observe runs the policies and reports them to the observer.
func (p *policies) observe(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces, run evaluate,
) error {
	recorder, _ := p.options.observer.(dispatcher.PolicyRecorder)
	observer, ok := p.options.observer.(dispatcher.PolicyObserver)
	if !ok {
		return run(p.evaluator, ctx, a, o, recorder)
	}
	var begun dispatcher.PhaseRecorder
	_ = guard.Do(func() { begun = observer.BeginPolicies(ctx, p.phase, a, o) })
	if begun == nil {
		return run(p.evaluator, ctx, a, o, recorder)
	}
	recorder, _ = begun.(dispatcher.PolicyRecorder)
	err := run(p.evaluator, ctx, a, o, recorder)
	_ = guard.Do(func() { begun.EndPhase(err) })
	return err
}

type mutatingPolicies struct{ *policies }

var _ apiadmission.MutationInterface = (*mutatingPolicies)(nil)

func (p *mutatingPolicies) Admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	return p.observe(ctx, a, o, (*policy.Evaluator).Admit)
}

type validatingPolicies struct{ *policies }

var _ apiadmission.ValidationInterface = (*validatingPolicies)(nil)

func (p *validatingPolicies) Validate(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	return p.observe(ctx, a, o, (*policy.Evaluator).Validate)
}
