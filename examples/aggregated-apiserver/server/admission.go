package server

import (
	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	mutatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	validatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	genericoptions "k8s.io/apiserver/pkg/server/options"
)

// usePlugins replaces the plugins that NewAdmissionOptions has registered, of which
// none can be taken out again. Everything else stays as it was: the recommended
// order names the same five plugins, and ApplyTo hands all of its initializers out.
func usePlugins(admission *genericoptions.AdmissionOptions, webhooks func(*apiadmission.Plugins)) {
	admission.Plugins = apiadmission.NewPlugins()
	registerOthers(admission.Plugins)
	webhooks(admission.Plugins)
	// A policy plugin whose kinds the host does not serve has every request wait for
	// it and refuses it in the end, so that they are switched on by flag:
	// --enable-admission-plugins.
	admission.DefaultOffPlugins = sets.New(mutatingpolicy.PluginName, validatingpolicy.PluginName)
}

// registerOthers registers the plugins that are not about webhooks.
func registerOthers(plugins *apiadmission.Plugins) {
	lifecycle.Register(plugins)
	mutatingpolicy.Register(plugins)
	validatingpolicy.Register(plugins)
}
