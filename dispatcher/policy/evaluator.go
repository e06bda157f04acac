package policy

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
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
	// Types returns the schema by which mutations of a kind are merged. If it is
	// nil for a kind, a mutation of this kind ends the request with 503, whatever
	// the failurePolicy, as in kube-apiserver. Required for mutations.
	Types func(schema.GroupVersionKind) managedfields.TypeConverter
	// Excluded reports whether no policy may see requests for a resource. Nil
	// means dispatcher.DefaultExcluded.
	Excluded func(schema.GroupResource) bool
	// Exact keeps only the changes of the last version if mutating policies ask
	// for several, as kube-apiserver does; see the package comment.
	Exact bool
}

// Source returns the policies in force.
type Source interface {
	// Current returns the policies in force now. An Evaluator calls it once per
	// request and phase, from many goroutines. A source that is not ready may
	// wait until it is, or until ctx is done, and then return
	// dispatcher.ErrNotReady, which the client receives as 403 Forbidden.
	Current(ctx context.Context) (*Set, error)
}

// Evaluator runs requests through policies. It implements
// dispatcher.Policies. See New.
type Evaluator struct {
	config  Config
	handles map[admission.Phase]*apiadmission.Handler
	// policy is upstream's matcher, and mutating its dispatcher.
	policy   generic.PolicyMatcher
	mutating generic.Dispatcher[mutatingHook]
}

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
	matcher := upstreamMatcher(config.Namespaces)
	return &Evaluator{
		config: config,
		handles: map[admission.Phase]*apiadmission.Handler{
			// A DELETE has no object to change.
			admission.Mutating: apiadmission.NewHandler(apiadmission.Create, apiadmission.Update,
				apiadmission.Connect),
			admission.Validating: apiadmission.NewHandler(apiadmission.Connect, apiadmission.Create,
				apiadmission.Delete, apiadmission.Update),
		},
		policy:   generic.NewPolicyMatcher(matcher),
		mutating: mutating.NewDispatcher(config.Authorizer, matcher, converters(config.Types)),
	}, nil
}

// converters are the schemas of mutations. Upstream's dispatcher asks for them
// only.
type converters func(schema.GroupVersionKind) managedfields.TypeConverter

// GetTypeConverter implements patch.TypeConverterManager.
func (c converters) GetTypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	if c == nil {
		return nil
	}
	return c(kind)
}

// Run implements patch.TypeConverterManager. There is nothing to watch.
func (c converters) Run(context.Context) {}

// exempt are the resources that policies do not see, because they could prevent
// their own repair.
var exempt = map[string]bool{
	"validatingadmissionpolicies": true, "validatingadmissionpolicybindings": true,
	"mutatingadmissionpolicies": true, "mutatingadmissionpolicybindings": true,
}

// sees reports whether policies of a phase may see a request.
func (e *Evaluator) sees(phase admission.Phase, a apiadmission.Attributes) bool {
	resource := a.GetResource().GroupResource()
	return e.handles[phase].Handles(a.GetOperation()) && !e.config.Excluded(resource) &&
		!(resource.Group == "admissionregistration.k8s.io" && exempt[resource.Resource])
}

// view returns the request as matching reads it.
func (e *Evaluator) view(
	a apiadmission.Attributes, o apiadmission.ObjectInterfaces, record bool,
) *matching.View {
	return matching.NewView(matching.Input{
		Attributes: a, Objects: o, Namespaces: namespaceLabels{e.config.Namespaces}, Record: record,
	})
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
