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
// chain. The chain must run it a second time if a webhook needs reinvocation,
// as apiserver's reinvoker does.
//
// The engine may call the creater and the typer of the ObjectInterfaces after
// Admit has returned, because it finishes a patch that exceeds the time of its
// call in the background. They must stay usable and be safe for concurrent use.
func (d *Dispatcher) Mutating() apiadmission.MutationInterface {
	return d.mutating
}

// Validating returns the validating phase as a plugin of an API server's
// admission chain.
func (d *Dispatcher) Validating() apiadmission.ValidationInterface {
	return d.validating
}

// newHandler handles the operations that a rule may name (S-001).
func newHandler() *apiadmission.Handler {
	return apiadmission.NewHandler(apiadmission.Connect, apiadmission.Create, apiadmission.Delete,
		apiadmission.Update)
}

type mutating struct {
	*apiadmission.Handler
	d *Dispatcher
}

func (m *mutating) Admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	return m.d.runPhase(ctx, admission.Mutating, a, o, (*phaseRun).mutate)
}

type validating struct {
	*apiadmission.Handler
	d *Dispatcher
}

func (v *validating) Validate(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	return v.d.runPhase(ctx, admission.Validating, a, o, (*phaseRun).validate)
}

// runWebhooks is phaseRun.mutate or phaseRun.validate.
type runWebhooks func(*phaseRun, context.Context, *matching.Snapshot) error

// runPhase runs a phase. It tells a PhaseObserver when the phase begins and
// ends.
func (d *Dispatcher) runPhase(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces, run runWebhooks,
) error {
	observer := d.config.Observer
	phases, ok := observer.(PhaseObserver)
	if !ok {
		return d.runObserved(ctx, phase, a, o, observer, run)
	}
	var recorder PhaseRecorder
	_ = guard.Do(func() { recorder = phases.BeginPhase(ctx, phase, a, o) })
	if recorder == nil {
		return d.runObserved(ctx, phase, a, o, observer, run)
	}
	err := d.runObserved(ctx, phase, a, o, recorder, run)
	_ = guard.Do(func() { recorder.EndPhase(err) })
	return err
}

// runObserved runs a phase and reports it to observer, which may be nil. It
// returns a panic of the Source, of the Policies or of the embedder's objects as an
// internal error. Panics of other code end only their step.
func (d *Dispatcher) runObserved(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces, observer Recorder, run runWebhooks,
) error {
	err := guard.Call(func() error {
		if err := d.runPolicies(ctx, phase, a, o, observer); err != nil {
			return err
		}
		snapshot, err := d.webhooksFor(ctx, phase, a, observer)
		if err != nil || snapshot == nil {
			return err
		}
		return run(d.newRun(phase, a, o, observer), ctx, snapshot)
	})
	if panicked, ok := err.(*admission.PanicError); ok {
		return apierrors.NewInternalError(panicked)
	}
	return err
}

// runPolicies runs the policies of a phase, if there are any.
func (d *Dispatcher) runPolicies(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces, observer Recorder,
) error {
	if d.config.Policies == nil {
		return nil
	}
	recorder, _ := observer.(PolicyRecorder)
	if phase == admission.Mutating {
		return d.config.Policies.Admit(ctx, a, o, recorder)
	}
	return d.config.Policies.Validate(ctx, a, o, recorder)
}

// webhooksFor returns the webhooks in force for a request, or nil if no webhook
// may see it (S-010).
func (d *Dispatcher) webhooksFor(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes, observer Recorder,
) (*matching.Snapshot, error) {
	stage := d.exempt(a)
	if stage == 0 {
		failpoint.Hit(ctx, failpoint.BeforeSnapshot)
		snapshot, err := d.config.Source.Current(ctx)
		failpoint.Hit(ctx, failpoint.AfterSnapshot)
		return snapshot, sourceError(a, snapshot, err)
	}
	static := d.staticSource(stage)
	if observer != nil {
		d.recordExempt(ctx, phase, a, observer, stage, static != nil)
	}
	if static == nil {
		return nil, nil
	}
	snapshot, err := static.Static(ctx)
	return snapshot, sourceError(a, snapshot, err)
}

// sourceError returns the error that the client receives for what a Source
// returned.
func sourceError(a apiadmission.Attributes, snapshot *matching.Snapshot, err error) error {
	switch {
	case errors.Is(err, ErrNotReady):
		return apiadmission.NewForbidden(a, ErrNotReady)
	case err != nil:
		return apierrors.NewInternalError(err)
	case snapshot == nil:
		return apierrors.NewInternalError(errNoSnapshot)
	}
	return nil
}

// errNoSnapshot is the error for a Source that breaks its contract.
var errNoSnapshot = errors.New("the source of webhooks returned neither webhooks nor an error")

// exempt returns the stage that keeps a request from all webhooks, or 0. With
// StageExempt, static webhooks still see the request. Excluded resources come
// first, as in kube-apiserver.
func (d *Dispatcher) exempt(a apiadmission.Attributes) admission.Stage {
	switch {
	case d.config.Excluded(a.GetResource().GroupResource()):
		return admission.StageExcluded
	case isExempt(a.GetKind()):
		return admission.StageExempt
	default:
		return 0
	}
}

// staticSource returns the source of the webhooks that see a request although
// it is exempt at a stage; nil if there are none (S-052).
func (d *Dispatcher) staticSource(stage admission.Stage) StaticSource {
	if stage != admission.StageExempt {
		return nil
	}
	static, _ := d.config.Source.(StaticSource)
	return static
}

// recordExempt records the webhooks that do not see an exempt request. If
// static webhooks see it, the run records these.
func (d *Dispatcher) recordExempt(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes, observer Recorder,
	stage admission.Stage, static bool,
) {
	noWait, cancel := context.WithCancel(ctx)
	cancel() // the request must not wait for a source that is not ready
	snapshot, err := d.config.Source.Current(noWait)
	if err != nil || snapshot == nil {
		return
	}
	r := d.newRun(phase, a, nil, observer)
	for i, w := range snapshot.Webhooks(phase) {
		if static && w.Static {
			continue
		}
		r.recordMatch(ctx, admission.Match{
			Webhook: w.Webhook, Operation: r.operation, Round: r.round, Index: i, Stage: stage, Rule: -1,
		})
	}
}

// isExempt reports whether a kind configures admission. Webhooks of the API
// must not be able to prevent their own repair (S-012). Static webhooks cannot
// (S-052).
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
