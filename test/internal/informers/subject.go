package informers

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/policy/informed"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/matching"
)

// Subject is a source of what is in force.
type Subject struct {
	Resource Resource
	// InForce returns the state that a request would see now, or ErrNotReady. For
	// namespaces, it is that of the namespace with this name.
	InForce func(ctx context.Context, name string) (State, error)
}

// ErrNotReady means that a request would be rejected, because the source does not know
// its state yet.
var ErrNotReady = errors.New("not ready")

// Side makes subjects that follow a factory. Close ends them.
type Side struct {
	Name string
	Open func(f *Factory) (subjects []Subject, close func(), err error)
}

// Gatehouse are gatehouse's sources.
func Gatehouse() Side { return Side{"gatehouse", openGatehouse} }

func openGatehouse(f *Factory) ([]Subject, func(), error) {
	v1 := f.Admissionregistration().V1()
	namespaces := f.Core().V1().Namespaces()
	webhooks, err := source.Informers(source.Watched{
		Mutating: v1.MutatingWebhookConfigurations(), Validating: v1.ValidatingWebhookConfigurations(),
	})
	if err != nil {
		return nil, nil, err
	}
	stop := make(chan struct{})
	policies, err := informed.Follow(nil, stop, v1.ValidatingAdmissionPolicies().Informer(),
		v1.ValidatingAdmissionPolicyBindings().Informer())
	if err != nil {
		webhooks.Close()
		return nil, nil, err
	}
	labels := source.ClusterNamespaces(namespaces.Lister(), f.Kube.CoreV1().Namespaces())
	return []Subject{
		{Mutating, webhooksInForce(webhooks, admission.Mutating)},
		{Validating, webhooksInForce(webhooks, admission.Validating)},
		{Policies, policiesInForce(policies)},
		{Namespaces, NamespaceInForce(labels.Labels)},
	}, func() { webhooks.Close(); close(stop) }, nil
}

func webhooksInForce(
	s dispatcher.Source, phase admission.Phase,
) func(context.Context, string) (State, error) {
	return func(ctx context.Context, _ string) (State, error) {
		snapshot, err := s.Current(ctx)
		if err != nil {
			return "", ready(err)
		}
		return webhookState(snapshot, phase), nil
	}
}

func webhookState(s *matching.Snapshot, phase admission.Phase) State {
	var all []string
	for _, w := range s.Webhooks(phase) {
		all = append(all, WebhookState(w.Configuration, *w.ClientConfig.URL))
	}
	return join(all)
}

func policiesInForce(s *informed.Source) func(context.Context, string) (State, error) {
	return func(ctx context.Context, _ string) (State, error) {
		set, err := s.Current(ctx)
		if err != nil {
			return "", ready(err)
		}
		return PolicyState(set.Names()), nil
	}
}

func ready(err error) error {
	if errors.Is(err, dispatcher.ErrNotReady) {
		return ErrNotReady
	}
	return err
}

// NamespaceInForce returns the state of a namespace with these labels.
func NamespaceInForce(
	labels func(ctx context.Context, name string) (map[string]string, error),
) func(ctx context.Context, name string) (State, error) {
	return func(ctx context.Context, name string) (State, error) {
		found, err := labels(ctx, name)
		switch {
		case apierrors.IsNotFound(err):
			return "", nil
		case err != nil:
			return "", err
		}
		return State(name + "@" + found[revisionLabel]), nil
	}
}

// Join returns the state of several objects, of which the order does not matter.
func Join(objects []string) State { return join(objects) }

// WebhookState is what a State says of a configuration whose only webhook has the URL.
func WebhookState(configuration, url string) string {
	return configuration + "@" + url[strings.LastIndexByte(url, '/')+1:]
}

// PolicyState is the state of policies with these names, of which each has its own
// revision.
func PolicyState(names []string) State {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = name + "@" + name[strings.LastIndexByte(name, '-')+1:]
	}
	return join(all)
}
