package embedding_test

import (
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	mutatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	validatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	genericoptions "k8s.io/apiserver/pkg/server/options"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher/plugin"
)

// Example puts gatehouse's plugins into the options of an aggregated API
// server, in place of k8s.io/apiserver's. Everything else in the options stays
// as it is.
func Example() {
	recommended := genericoptions.NewRecommendedOptions("/registry/toys.example.com", nil)

	// NewRecommendedOptions has registered upstream's plugins, and registering
	// a name twice is fatal: gatehouse's go into a fresh set.
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins, plugin.WithLimits(limits.Limits{ResponseBody: 4 << 20}))
	// What is not about webhooks comes back.
	lifecycle.Register(plugins)
	mutatingpolicy.Register(plugins)
	validatingpolicy.Register(plugins)
	recommended.Admission.Plugins = plugins
	// Policies are for hosts that serve their kinds: elsewhere every request
	// would wait for them, and be refused.
	recommended.Admission.DefaultOffPlugins = sets.New(mutatingpolicy.PluginName, validatingpolicy.PluginName)

	for _, problem := range recommended.Admission.Validate() {
		log.Fatal(problem)
	}
	for _, name := range recommended.Admission.RecommendedPluginOrder {
		fmt.Println(name, recommended.Admission.DefaultOffPlugins.Has(name))
	}
	// Output:
	// NamespaceLifecycle false
	// MutatingAdmissionPolicy true
	// MutatingAdmissionWebhook false
	// ValidatingAdmissionPolicy true
	// ValidatingAdmissionWebhook false
}
