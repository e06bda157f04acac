package policies

import (
	"context"
	"fmt"
	"io"

	apiadmission "k8s.io/apiserver/pkg/admission"
	mutatingpolicies "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	validatingpolicies "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	mutatingwebhooks "k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	validatingwebhooks "k8s.io/apiserver/pkg/admission/plugin/webhook/validating"

	"example.com/gatehouse/dispatcher"
)

// chain is what an API server calls: the plugins of a side in order, with
// apiserver's second round around those that mutate.
type chain interface {
	apiadmission.MutationInterface
	apiadmission.ValidationInterface
}

// plugins are the plugins of a side by phase, in order.
type plugins struct{ mutating, validating []apiadmission.Interface }

// ofGatehouse are the plugins of gatehouse's dispatcher.
func ofGatehouse(d *dispatcher.Dispatcher) plugins {
	return plugins{[]apiadmission.Interface{d.Mutating()}, []apiadmission.Interface{d.Validating()}}
}

// upstreamPlugins are kube-apiserver's plugins.
type upstreamPlugins struct {
	mutatingPolicies   *mutatingpolicies.Plugin
	mutatingWebhooks   *mutatingwebhooks.Plugin
	validatingPolicies *validatingpolicies.Plugin
	validatingWebhooks *validatingwebhooks.Plugin
}

func newUpstream() (u *upstreamPlugins, err error) {
	u = &upstreamPlugins{}
	if u.mutatingPolicies, err = mutatingpolicies.NewPlugin(nil); err != nil {
		return u, err
	}
	if u.mutatingWebhooks, err = mutatingwebhooks.NewMutatingWebhook(nil); err != nil {
		return u, err
	}
	if u.validatingPolicies, err = validatingpolicies.NewPlugin(nil); err != nil {
		return u, err
	}
	u.validatingWebhooks, err = validatingwebhooks.NewValidatingAdmissionWebhook(nil)
	return u, err
}

// plugins returns kube-apiserver's order.
func (u *upstreamPlugins) plugins() plugins {
	return plugins{
		[]apiadmission.Interface{u.mutatingPolicies, u.mutatingWebhooks},
		[]apiadmission.Interface{u.validatingPolicies, u.validatingWebhooks},
	}
}

// ready waits until the plugins know their policies and webhooks. A thousand
// policies take longer than the ten seconds of WaitForReady.
func (u *upstreamPlugins) ready() bool {
	const tries = 10
	for range tries {
		if u.mutatingPolicies.WaitForReady() && u.validatingPolicies.WaitForReady() &&
			u.mutatingWebhooks.WaitForReady() && u.validatingWebhooks.WaitForReady() {
			return true
		}
	}
	return false
}

// newChain returns a chain of plugins that are initialized already, or that
// initialize initializes.
func newChain(of plugins, initialize apiadmission.PluginInitializers) (chain, error) {
	all := append([]apiadmission.Interface{rounds{}}, of.mutating...)
	all = append(append(all, between{}), of.validating...)
	registry := apiadmission.NewPlugins()
	var names []string
	for i, p := range all {
		names = append(names, fmt.Sprint("plugin ", i))
		registry.Register(names[i], func(io.Reader) (apiadmission.Interface, error) { return p, nil })
	}
	made, err := registry.NewFromPlugins(names, noConfig{}, initialize, nil)
	if err != nil {
		return nil, err
	}
	return made.(chain), nil
}

// noConfig is a server without an admission configuration.
type noConfig struct{}

// ConfigFor implements apiadmission.ConfigProvider.
func (noConfig) ConfigFor(string) (io.Reader, error) { return nil, nil }

// rounds is a plugin that counts the rounds of a request.
type rounds struct{}

// Handles implements apiadmission.Interface.
func (rounds) Handles(apiadmission.Operation) bool { return true }

// Admit implements apiadmission.MutationInterface.
func (rounds) Admit(
	_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces,
) error {
	a.(*observed).result.Rounds++
	return nil
}

// between is a plugin that changes the object after the webhooks of each round,
// and asks for a second round.
type between struct{}

// Handles implements apiadmission.Interface.
func (between) Handles(apiadmission.Operation) bool { return true }

// Admit implements apiadmission.MutationInterface.
func (between) Admit(
	_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces,
) error {
	change := a.(*observed).request.Between
	if change != nil && a.GetObject() != nil && change(a.GetObject()) {
		a.GetReinvocationContext().SetShouldReinvoke()
	}
	return nil
}
