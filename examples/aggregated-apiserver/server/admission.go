package server

import (
	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	mutatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	validatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	genericoptions "k8s.io/apiserver/pkg/server/options"
)

// usePlugins replaces the plugins of NewAdmissionOptions, which it cannot
// unregister. Everything else stays: the recommended order names the same five
// plugins, and ApplyTo passes all of its initializers.
func usePlugins(admission *genericoptions.AdmissionOptions, webhooks func(*apiadmission.Plugins)) {
	admission.Plugins = apiadmission.NewPlugins()
	registerOthers(admission.Plugins)
	webhooks(admission.Plugins)
	// A policy plugin whose kinds the host does not serve delays and rejects
	// every request, so --enable-admission-plugins enables it.
	admission.DefaultOffPlugins = sets.New(mutatingpolicy.PluginName, validatingpolicy.PluginName)
}

// registerOthers registers the plugins that have nothing to do with webhooks.
func registerOthers(plugins *apiadmission.Plugins) {
	lifecycle.Register(plugins)
	mutatingpolicy.Register(plugins)
	validatingpolicy.Register(plugins)
}
