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

// MutatingName and ValidatingName are the names of the plugins, as in
// kube-apiserver (S-001).
const (
	MutatingName   = "MutatingAdmissionWebhook"
	ValidatingName = "ValidatingAdmissionWebhook"
)

// Option configures the registered plugins.
type Option func(*options)

type options struct {
	observer           dispatcher.Recorder
	trace              bool
	exact              bool
	patchFailurePolicy bool
	limits             limits.Limits
	urls               client.DialPolicy
	policies           bool
	recording          *recording
}

// WithObserver sets an observer, which receives the records of all calls and
// matches; see dispatcher.Config.Observer for the cost.
func WithObserver(observer dispatcher.Recorder) Option {
	return func(o *options) { o.observer = observer }
}

// WithTrace adds a trace to the record of every call: bodies, connection,
// timings, and the object before and after the patch; see
// dispatcher.Config.Trace for the cost. It has no effect without WithObserver.
func WithTrace() Option {
	return func(o *options) { o.trace = true }
}

// WithExact makes the plugins behave as kube-apiserver where gatehouse is safer
// by default:
//
//   - the client follows redirects to any address, waits for Retry-After, and
//     lets HTTP/2 servers refuse any number of connections;
//   - the client sends the credentials of current-context in kubeConfigFile to
//     every webhook without an entry of its own;
//   - of several validating webhooks that deny a request, the first to respond
//     decides the error;
//   - the error for a request whose context has ended depends on phase and
//     policy;
//   - the object of a denied request may keep some of the changes;
//   - static manifests are read while they are being written;
//   - with WithPolicies, of the changes of mutating policies that use different
//     versions of an object, only those in the last version are kept.
//
// See dispatcher.Config, Config and KubeconfigAuth in package
// dispatcher/client, and Config in packages dispatcher/policy and
// dispatcher/source/static.
func WithExact() Option {
	return func(o *options) { o.exact = true }
}

// WithPatchFailurePolicy applies a webhook's failurePolicy if its patch cannot
// be applied; see dispatcher.Config.PatchFailurePolicy.
func WithPatchFailurePolicy() Option {
	return func(o *options) { o.patchFailurePolicy = true }
}

// WithLimits limits the resources that a webhook's response may use. All
// plugins of the same Register share one budget. ValidateInitialization returns
// an error for an invalid limit. The default is the limits of package
// admission/limits.
func WithLimits(l limits.Limits) Option {
	return func(o *options) { o.limits = l }
}

// WithDialPolicy denies connections to some addresses for webhooks with a URL.
// It does not apply to webhooks with a service. A call to a denied address
// fails. ValidateInitialization returns an error for an invalid policy. By
// default, as in kube-apiserver, no address is denied, and a user who may write
// webhook configurations can make the server connect to itself and to its
// network; see client.DialPolicy.
func WithDialPolicy(p client.DialPolicy) Option {
	return func(o *options) { o.urls = p }
}

// Register registers the plugins for webhooks, and with WithPolicies those for
// policies. apiserver's registry exits the process if a name is registered twice
// (S-003), so the registry must not hold upstream's plugins of the same names.
func Register(plugins *apiadmission.Plugins, opts ...Option) {
	var o options
	for _, apply := range opts {
		apply(&o)
	}
	o.observeRecording()
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
	if o.policies {
		registerPolicies(plugins, o)
	}
}

// mutating and validating each implement the interface of one phase: the server
// calls a plugin in the phases whose interfaces it implements.
type mutating struct{ *base }

var _ apiadmission.MutationInterface = (*mutating)(nil)

func (m *mutating) Admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	return m.engine.Mutating().Admit(ctx, a, o)
}

type validating struct{ *base }

var _ apiadmission.ValidationInterface = (*validating)(nil)

func (v *validating) Validate(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	return v.engine.Validating().Validate(ctx, a, o)
}
