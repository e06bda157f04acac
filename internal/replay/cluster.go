package replay

import (
	"context"
	"errors"
	"fmt"
	"net"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Cluster is the way to the Services of a cluster.
type Cluster interface {
	// Dial connects to a Service. It is session.Options.Forward.
	Dial(context.Context, resolve.Service) (net.Conn, error)
	// Err returns an error because of which no Service can be reached, which says nothing
	// about webhooks; nil if there is none.
	Err() error
}

// checkSideEffects returns an error that names the webhooks that must not be called in a
// dry run.
func checkSideEffects(webhooks []*admission.Webhook) error {
	var all []error
	for _, w := range webhooks {
		effects := registrationv1.SideEffectClassUnknown
		if w.SideEffects != nil {
			effects = *w.SideEffects
		}
		switch effects {
		case registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun:
		default:
			all = append(all, fmt.Errorf("%s/%s: sideEffects is %s: no webhook was called, because only "+
				"those with None or NoneOnDryRun may be in a cluster", w.Configuration, w.Name, effects))
		}
	}
	if all == nil {
		return nil
	}
	return &message.InputError{Err: errors.Join(all...)}
}

// makeDryRun makes a dry run of a request, unless it is a CONNECT, which has none (S-364).
// The options say so, too (S-202).
func makeDryRun(r *admission.Request) {
	r.DryRun = r.Operation != admissionv1.Connect
	all := []string{metav1.DryRunAll}
	switch o := r.Options.(type) {
	case *metav1.CreateOptions:
		o.DryRun = all
	case *metav1.UpdateOptions:
		o.DryRun = all
	case *metav1.DeleteOptions:
		o.DryRun = all
	}
}

// refusedError says that a webhook must not be called in the cluster.
type refusedError struct{ configuration, webhook string }

// Error names the webhook and the reason.
func (e *refusedError) Error() string {
	return fmt.Sprintf("%s/%s is not called in the cluster, because there are no dry runs of CONNECT",
		e.configuration, e.webhook)
}

// refuseConnect is session.Options.Stub. It lets no CONNECT reach a webhook in the cluster.
func refuseConnect(
	ctx context.Context, w *admission.Webhook, routed bool,
) (*dispatcher.Endpoint, error) {
	v := visitOf(ctx)
	if v == nil || routed || v.request.Operation != admissionv1.Connect {
		return nil, nil
	}
	address, _, err := webhookconfig.Address(w)
	if err != nil {
		return nil, err
	}
	if _, ok := resolve.ServiceOf(address); !ok {
		return nil, nil
	}
	refused := &refusedError{w.Configuration, w.Name}
	v.refused.Store(refused)
	return nil, refused
}
