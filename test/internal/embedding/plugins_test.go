package embedding

import (
	"context"
	"io"

	"k8s.io/apimachinery/pkg/api/meta"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	mutatingwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	validatingwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook/validating"

	"example.com/gatehouse/dispatcher/plugin"
)

// plugins is an implementation of the webhook plugins.
type plugins struct {
	name     string
	register func(*apiadmission.Plugins)
	// initialize gives the plugins what the servers under test do not.
	initialize apiadmission.PluginInitializers
}

// both are the plugins of k8s.io/apiserver, which set the standard, and
// gatehouse's.
func both() []plugins {
	return []plugins{
		{"upstream", func(p *apiadmission.Plugins) {
			mutatingwebhook.Register(p)
			validatingwebhook.Register(p)
		}, apiadmission.PluginInitializers{manifestLoaders{}}},
		{"gatehouse", func(p *apiadmission.Plugins) { plugin.Register(p) }, nil},
	}
}

// chain returns all plugins of a server, in no order, and the order.
func (p plugins) chain() (all *apiadmission.Plugins, order []string) {
	all = apiadmission.NewPlugins()
	lifecycle.Register(all)
	all.Register(stamperName, func(io.Reader) (apiadmission.Interface, error) {
		return &stamper{apiadmission.NewHandler(apiadmission.Create, apiadmission.Update)}, nil
	})
	p.register(all)
	return all, []string{lifecycle.PluginName, plugin.MutatingName, stamperName, plugin.ValidatingName}
}

const (
	stamperName = "Stamper"
	// wish is a label that the stamper answers with another one.
	wish, stamped = "stamp", "stamped"
)

// stamper is a plugin in the tree of a server, behind the mutating webhooks:
// what it changes makes them run again.
type stamper struct{ *apiadmission.Handler }

var _ apiadmission.MutationInterface = (*stamper)(nil)

// Admit stamps objects that a webhook has marked for it.
func (*stamper) Admit(_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	object, err := meta.Accessor(a.GetObject())
	if err != nil {
		return nil //nolint:nilerr // what has no metadata has no labels
	}
	labels := object.GetLabels()
	if _, wanted := labels[wish]; wanted {
		labels[stamped] = "yes"
		object.SetLabels(labels)
	}
	return nil
}
