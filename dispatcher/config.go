package dispatcher

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
	"example.com/gatehouse/matching"
)

// Config configures a Dispatcher. New reads it once.
type Config struct {
	// Source returns the webhooks in force. Required.
	Source Source
	// Client returns how to reach a webhook. Required.
	Client Client
	// Namespaces returns the labels that namespaceSelectors match. By default
	// no namespace exists: a selector that needs one ends the request with 404.
	Namespaces matching.Namespaces
	// Authorizer performs the authorizer checks of matchConditions. Without it,
	// conditions that check authorization fail (S-023).
	Authorizer authorizer.UnconditionalAuthorizer
	// Excluded reports whether no webhook may receive requests for a resource.
	// The engine calls it for every request. Nil means DefaultExcluded.
	Excluded func(schema.GroupResource) bool
	// Limits bound the cost of a response. You can raise them but not turn them
	// off; package limits documents the defaults.
	Limits limits.Limits
	// Exact makes the dispatcher behave as kube-apiserver where gatehouse is
	// safer by default; the client has its own Exact. The default is:
	//
	//   - if a call fails and the request's own context is over, the response
	//     is 504, whatever the phase and the failurePolicy; kube-apiserver
	//     responds with 500 or 504 in the mutating phase, and with 500, or
	//     admits the request, in the validating phase (S-182, S-265)
	//   - the object of a denied request is as it was before the round; in
	//     kube-apiserver it may keep changes of webhooks that ran before a
	//     webhook with another version of the object (S-170, S-173)
	//   - if several validating webhooks deny a request, the first in order
	//     decides the error, so that the same request gets the same error; in
	//     kube-apiserver the first to respond does (S-192)
	Exact bool
	// PatchFailurePolicy applies the webhook's failurePolicy if its patch does not
	// apply, exceeds a limit, panics, or is for a DELETE. By default these are
	// internal errors whatever the policy, as in kube-apiserver (S-250).
	PatchFailurePolicy bool
	// Policies runs requests through policies, before the webhooks of each phase,
	// as kube-apiserver's chain does. Optional.
	Policies Policies
	// Metrics receives calls and evaluated matchConditions; see package
	// metrics. Optional.
	Metrics Recorder
	// Observer receives every call and the match of every webhook, whether
	// called or not. This costs time: without an observer, an index skips
	// webhooks whose rules do not match. The engine also tells a PhaseObserver
	// when a phase begins and ends. Optional.
	Observer Recorder
	// Trace adds an admission.Trace to the record of every call: the bodies,
	// the duration of each part, and the object before and after the patch. It
	// costs memory and time. The default is false.
	Trace bool
}

// ErrNotReady is the error of a Source that does not yet know which webhooks
// are in force.
var ErrNotReady = errors.New("not yet ready to handle request")

// DefaultExcluded returns the resources that webhooks do not receive in
// kube-apiserver, see admission.ExcludedResources.
func DefaultExcluded() sets.Set[schema.GroupResource] {
	return sets.New(admission.ExcludedResources()...)
}

// Dispatcher runs requests through webhooks. See New.
type Dispatcher struct {
	config     Config
	codec      *review.Codec
	mutating   *mutating
	validating *validating
	// detached bounds the work that outlives its call.
	detached *detachedLimiter
}

// New returns a dispatcher, or an error that names the missing or invalid
// field.
func New(config Config) (*Dispatcher, error) {
	switch {
	case config.Source == nil:
		return nil, errors.New("dispatcher: Config.Source is required")
	case config.Client == nil:
		return nil, errors.New("dispatcher: Config.Client is required")
	}
	if config.Namespaces == nil {
		config.Namespaces = noNamespaces{}
	}
	if config.Excluded == nil {
		config.Excluded = DefaultExcluded().Has
	}
	var err error
	if config.Limits, err = config.Limits.WithDefaults(); err != nil {
		return nil, fmt.Errorf("dispatcher: Config.Limits: %w", err)
	}
	codec, err := review.NewCodec()
	if err != nil {
		return nil, fmt.Errorf("dispatcher: %w", err)
	}
	return newDispatcher(config, codec, newDetachedLimiter()), nil
}

func newDispatcher(config Config, codec *review.Codec, detached *detachedLimiter) *Dispatcher {
	d := &Dispatcher{config: config, codec: codec, detached: detached}
	d.mutating, d.validating = &mutating{newHandler(), d}, &validating{newHandler(), d}
	return d
}

// WithObserver returns a Dispatcher that reports to observer in addition to
// Config.Observer. It shares everything else with d.
func (d *Dispatcher) WithObserver(observer Recorder) *Dispatcher {
	config := d.config
	if config.Observer != nil {
		observer = recorders{observer, config.Observer}
	}
	config.Observer = observer
	return newDispatcher(config, d.codec, d.detached)
}

// Observers returns an observer that reports to two. Each receives what it
// implements of PhaseObserver, PolicyObserver and PolicyRecorder.
func Observers(first, second Recorder) PolicyObserver { return recorders{first, second} }

// recorders is an observer that reports to two.
type recorders [2]Recorder

// BeginPhase implements PhaseObserver.
func (r recorders) BeginPhase(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces,
) PhaseRecorder {
	return r.begin(func(recorder Recorder) PhaseRecorder {
		if observer, ok := recorder.(PhaseObserver); ok {
			return observer.BeginPhase(ctx, phase, a, o)
		}
		return nil
	})
}

// BeginPolicies implements PolicyObserver.
func (r recorders) BeginPolicies(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces,
) PhaseRecorder {
	return r.begin(func(recorder Recorder) PhaseRecorder {
		if observer, ok := recorder.(PolicyObserver); ok {
			return observer.BeginPolicies(ctx, phase, a, o)
		}
		return nil
	})
}

func (r recorders) begin(begin func(Recorder) PhaseRecorder) PhaseRecorder {
	all := phaseRecorders{recorders: r}
	for i, recorder := range r {
		var begun PhaseRecorder
		// A panic of one must not keep the other from its end.
		_ = guard.Do(func() { begun = begin(recorder) })
		if begun != nil {
			all.recorders[i] = begun
			all.begun = append(all.begun, begun)
		}
	}
	return all
}

// phaseRecorders reports a run of a phase to two observers. begun are those
// that learn when it ends.
type phaseRecorders struct {
	recorders
	begun []PhaseRecorder
}

// EndPhase implements PhaseRecorder.
func (r phaseRecorders) EndPhase(err error) {
	for _, recorder := range r.begun {
		_ = guard.Do(func() { recorder.EndPhase(err) })
	}
}

// RecordPolicy implements PolicyRecorder.
func (r recorders) RecordPolicy(ctx context.Context, p *admission.PolicyRecord) {
	for _, recorder := range r {
		if of, ok := recorder.(PolicyRecorder); ok {
			of.RecordPolicy(ctx, p)
		}
	}
}

// RecordMatch implements Recorder.
func (r recorders) RecordMatch(ctx context.Context, m *admission.Match) {
	for _, recorder := range r {
		recorder.RecordMatch(ctx, m)
	}
}

// RecordCall implements Recorder.
func (r recorders) RecordCall(ctx context.Context, c *admission.Call) {
	for _, recorder := range r {
		recorder.RecordCall(ctx, c)
	}
}

// noNamespaces is a cluster without namespaces.
type noNamespaces struct{}

func (noNamespaces) Labels(_ context.Context, name string) (map[string]string, error) {
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, name)
}
