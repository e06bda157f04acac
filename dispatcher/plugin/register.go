package plugin

import (
	"context"
	"io"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
)

// The names of the plugins, which are kube-apiserver's (S-001).
const (
	MutatingName   = "MutatingAdmissionWebhook"
	ValidatingName = "ValidatingAdmissionWebhook"
)

// Option changes what the registered plugins do.
type Option func(*options)

type options struct {
	observer           dispatcher.Recorder
	trace              bool
	exact              bool
	patchFailurePolicy bool
	limits             limits.Limits
	urls               client.DialPolicy
}

// WithObserver has an observer told about every call and every webhook that was
// considered; see dispatcher.Config.Observer for its price.
func WithObserver(observer dispatcher.Recorder) Option {
	return func(o *options) { o.observer = observer }
}

// WithTrace has the observer see every call from close up: what was sent, what came
// back, how long each part of it took and what became of the object; see
// dispatcher.Config.Trace for its price. Without an observer it is of no use.
func WithTrace() Option {
	return func(o *options) { o.trace = true }
}

// WithExact has the plugins do what kube-apiserver does where gatehouse is more
// careful by default: redirects are followed to any address, Retry-After is
// obeyed, HTTP/2 servers may take back any number of connections, the user of
// current-context in kubeConfigFile is shown to every webhook that no user is
// named after, the first validating webhook to object is heard, the answer to a
// request whose own context is over depends on phase and policy, a request
// that is refused may keep some of the changes, and static manifests are read while
// they are being written. See dispatcher.Config, Config and KubeconfigAuth in package
// dispatcher/client, and Config in package dispatcher/source/static.
func WithExact() Option {
	return func(o *options) { o.exact = true }
}

// WithPatchFailurePolicy has a webhook's failurePolicy decide when its patch
// cannot be applied; see dispatcher.Config.PatchFailurePolicy.
func WithPatchFailurePolicy() Option {
	return func(o *options) { o.patchFailurePolicy = true }
}

// WithLimits sets what a webhook's answer may cost. Both plugins, and all that
// come from the same Register, share one budget. A limit that makes no sense is
// an error of ValidateInitialization. By default the limits are those of package
// admission/limits.
func WithLimits(l limits.Limits) Option {
	return func(o *options) { o.limits = l }
}

// WithDialPolicy says which addresses webhooks with a URL may not be at; webhooks with a
// service may be anywhere. What is denied is a failed call. A policy that makes no sense
// is an error of ValidateInitialization. By default, as in kube-apiserver, nothing is
// denied, and whoever may write webhook configurations can have the server connect to
// itself and to its network; see client.DialPolicy.
func WithDialPolicy(p client.DialPolicy) Option {
	return func(o *options) { o.urls = p }
}

// Register adds both plugins. Registering a name that is taken is fatal in
// apiserver's registry (S-003), so a registry must not have upstream's plugins
// as well.
func Register(plugins *apiadmission.Plugins, opts ...Option) {
	var o options
	for _, apply := range opts {
		apply(&o)
	}
	if o.limits.Budget == nil {
		o.limits.Budget = limits.NewBudget(0)
	}
	plugins.Register(MutatingName, func(config io.Reader) (apiadmission.Interface, error) {
		base, err := newBase(admission.Mutating, config, o)
		if err != nil {
			return nil, err
		}
		return &mutating{base}, nil
	})
	plugins.Register(ValidatingName, func(config io.Reader) (apiadmission.Interface, error) {
		base, err := newBase(admission.Validating, config, o)
		if err != nil {
			return nil, err
		}
		return &validating{base}, nil
	})
}

// mutating is a base that only admits, validating one that only validates: what
// a plugin implements says what it is for.
type mutating struct{ *base }

var _ apiadmission.MutationInterface = (*mutating)(nil)

func (m *mutating) Admit(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
	return m.engine().Mutating().Admit(ctx, a, o)
}

type validating struct{ *base }

var _ apiadmission.ValidationInterface = (*validating)(nil)

func (v *validating) Validate(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
	return v.engine().Validating().Validate(ctx, a, o)
}
