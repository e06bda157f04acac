package dispatcher

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/matching"
)

// Mutating returns the mutating phase as a plugin of an API server's admission
// chain. The chain must be prepared to run twice, as apiserver's reinvoker does.
//
// Of the ObjectInterfaces that Admit is given, the creater and the typer may still be called
// after it has returned: a patch that exceeds the time of its call is finished in the
// background. They must stay usable and be safe for concurrent use.
func (d *Dispatcher) Mutating() apiadmission.MutationInterface {
	return d.mutating
}

// Validating returns the validating phase as a plugin of an API server's
// admission chain.
func (d *Dispatcher) Validating() apiadmission.ValidationInterface {
	return d.validating
}

// newHandler handles exactly the operations that webhooks can ask for (S-001).
func newHandler() *apiadmission.Handler {
	return apiadmission.NewHandler(apiadmission.Connect, apiadmission.Create, apiadmission.Delete, apiadmission.Update)
}

type mutating struct {
	*apiadmission.Handler
	d        *Dispatcher
	observer Recorder
}

func (m *mutating) Admit(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
	return guarded(func() error {
		snapshot, err := m.d.open(ctx, admission.Mutating, a, m.observer)
		if err != nil || snapshot == nil {
			return err
		}
		p := m.d.begin(admission.Mutating, a, o, m.observer)
		err = p.mutate(ctx, snapshot)
		p.end()
		return err
	})
}

type validating struct {
	*apiadmission.Handler
	d        *Dispatcher
	observer Recorder
}

func (v *validating) Validate(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
	return guarded(func() error {
		snapshot, err := v.d.open(ctx, admission.Validating, a, v.observer)
		if err != nil || snapshot == nil {
			return err
		}
		p := v.d.begin(admission.Validating, a, o, v.observer)
		err = p.validate(ctx, snapshot)
		p.end()
		return err
	})
}

// open is the gate: it returns the webhooks in force, nil for requests that are let
// through unseen (S-010).
func (d *Dispatcher) open(ctx context.Context, phase admission.Phase, a apiadmission.Attributes, observer Recorder) (*matching.Snapshot, error) {
	stage, closed := d.closed(a)
	if !closed {
		failpoint.Hit(ctx, failpoint.BeforeSnapshot)
		snapshot, err := d.config.Source.Current(ctx)
		failpoint.Hit(ctx, failpoint.AfterSnapshot)
		return known(a, snapshot, err)
	}
	if observer != nil {
		d.recordClosed(ctx, phase, a, stage, observer)
	}
	if static := d.static(stage); static != nil {
		snapshot, err := static.Static(ctx)
		return known(a, snapshot, err)
	}
	return nil, nil
}

// known makes of a source's error what clients get to see.
func known(a apiadmission.Attributes, snapshot *matching.Snapshot, err error) (*matching.Snapshot, error) {
	if snapshot == nil && err == nil {
		err = errNoSnapshot
	}
	switch {
	case errors.Is(err, ErrNotReady):
		return nil, apiadmission.NewForbidden(a, ErrNotReady)
	case err != nil:
		return nil, apierrors.NewInternalError(err)
	}
	return snapshot, nil
}

// static returns where the webhooks are that a request gets to although the gate is
// closed to it at a stage; nil if there are none (S-052).
func (d *Dispatcher) static(stage admission.Stage) StaticSource {
	if stage != admission.StageExempt {
		return nil
	}
	static, _ := d.config.Source.(StaticSource)
	return static
}

// errNoSnapshot is what is made of a source that breaks its contract.
var errNoSnapshot = errors.New("the source of webhooks returned neither webhooks nor an error")

// guarded runs a phase and returns a panic as an internal error: one of the source, or of
// the host's own objects. Panics of other code end only their step, with a text of its
// own.
func guarded(phase func() error) error {
	err := guard.Call(phase)
	if panicked, ok := err.(*admission.PanicError); ok {
		return apierrors.NewInternalError(panicked)
	}
	return err
}

// closed reports whether no webhook of the API may see the request, and static ones
// only if the stage is StageExempt. Excluded resources are looked at first, as
// kube-apiserver does.
func (d *Dispatcher) closed(a apiadmission.Attributes) (admission.Stage, bool) {
	switch {
	case d.config.Excluded.Has(a.GetResource().GroupResource()):
		return admission.StageExcluded, true
	case isExempt(a.GetKind()):
		return admission.StageExempt, true
	default:
		return 0, false
	}
}

// recordClosed tells an observer about all webhooks that the gate kept from a
// request. It must not make the request wait for a source that is not ready. Static
// webhooks that the request does get to are told of when it does.
func (d *Dispatcher) recordClosed(ctx context.Context, phase admission.Phase, a apiadmission.Attributes, stage admission.Stage, observer Recorder) {
	noWait, cancel := context.WithCancel(ctx)
	cancel()
	snapshot, err := d.config.Source.Current(noWait)
	if err != nil || snapshot == nil {
		return
	}
	p := d.begin(phase, a, nil, observer)
	reached := d.static(stage) != nil
	for i, w := range snapshot.Webhooks(phase) {
		if reached && w.Static {
			continue
		}
		p.recordMatch(ctx, admission.Match{
			Webhook: w.Webhook, Operation: p.operation, Round: p.round, Index: i, Stage: stage, Rule: -1,
		})
	}
}

// isExempt reports whether a kind configures admission itself: webhooks must not
// be able to prevent their own repair (S-012). Static ones cannot (S-052).
func isExempt(kind schema.GroupVersionKind) bool {
	if kind.Group != "admissionregistration.k8s.io" {
		return false
	}
	switch kind.Kind {
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration",
		"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
		return true
	default:
		return false
	}
}
