package dispatcher

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// Mutating returns the mutating phase as a plugin of an API server's admission
// chain. The chain must be prepared to run twice, as apiserver's reinvoker does.
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

func (m *mutating) Admit(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (err error) {
	defer containRequest(&err)
	snapshot, err := m.d.open(ctx, admission.Mutating, a, m.observer)
	if err != nil || snapshot == nil {
		return err
	}
	p := m.d.begin(admission.Mutating, a, o, m.observer)
	err = p.mutate(ctx, snapshot)
	p.end()
	return err
}

type validating struct {
	*apiadmission.Handler
	d        *Dispatcher
	observer Recorder
}

func (v *validating) Validate(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (err error) {
	defer containRequest(&err)
	snapshot, err := v.d.open(ctx, admission.Validating, a, v.observer)
	if err != nil || snapshot == nil {
		return err
	}
	p := v.d.begin(admission.Validating, a, o, v.observer)
	err = p.validate(ctx, snapshot)
	p.end()
	return err
}

// open is the gate: it returns the webhooks in force, nil for requests that are let
// through unseen (S-010).
func (d *Dispatcher) open(ctx context.Context, phase admission.Phase, a apiadmission.Attributes, observer Recorder) (*matching.Snapshot, error) {
	if stage, closed := d.closed(a); closed {
		if observer != nil {
			d.recordClosed(ctx, phase, a, stage, observer)
		}
		return nil, nil
	}
	snapshot, err := d.config.Source.Current(ctx)
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

// errNoSnapshot is what is made of a source that breaks its contract.
var errNoSnapshot = errors.New("the source of webhooks returned neither webhooks nor an error")

// containRequest makes an error of a panic that got past everything else: in the
// source, or in the host's own objects. What is known to panic is contained where
// it happens, with a better text.
func containRequest(err *error) {
	if r := recover(); r != nil {
		*err = apierrors.NewInternalError(admission.Contained(r))
	}
}

// closed reports whether no webhook may see the request. Excluded resources are
// looked at first, as kube-apiserver does.
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
// request. It must not make the request wait for a source that is not ready.
func (d *Dispatcher) recordClosed(ctx context.Context, phase admission.Phase, a apiadmission.Attributes, stage admission.Stage, observer Recorder) {
	noWait, cancel := context.WithCancel(ctx)
	cancel()
	snapshot, err := d.config.Source.Current(noWait)
	if err != nil || snapshot == nil {
		return
	}
	p := d.begin(phase, a, nil, observer)
	for i, w := range snapshot.Webhooks(phase) {
		p.recordMatch(ctx, admission.Match{
			Webhook: w.Webhook, Operation: p.operation, Round: p.round, Index: i, Stage: stage, Rule: -1,
		})
	}
}

// isExempt reports whether a kind configures admission itself: webhooks must not
// be able to prevent their own repair (S-012).
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
