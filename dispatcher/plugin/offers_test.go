package plugin_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"example.com/gatehouse/internal/testutil/testtable"
)

// offerRow is something that initializers have to offer.
type offerRow struct {
	row
	takes func(apiadmission.Interface) bool
	want  bool
}

// takes reports whether a plugin has the setter of an interface.
func takes[W any](p apiadmission.Interface) bool { _, ok := p.(W); return ok }

// TestOffers goes through what apiserver's initializers offer to every plugin
// (S-021). Taking less, a plugin would miss what it needs; taking more, it
// could not be put into a server that does not have it.
func TestOffers(t *testing.T) {
	t.Parallel()
	runTable(t, []offerRow{
		{row{"drained channel", "a plugin has something to give back"}, takes[initializer.WantsDrainedNotification], true},
		{row{"feature gates", "one of them decides about excluded resources"}, takes[initializer.WantsFeatures], true},
		{row{"client", "it looks for namespaces that are new"}, takes[initializer.WantsExternalKubeClientSet], true},
		{row{"informers", "they deliver configurations and namespaces"}, takes[initializer.WantsExternalKubeInformerFactory], true},
		{row{"unconditional authorizer", "conditions ask it"}, takes[initializer.WantsUnconditionalAuthorizer], true},
		{row{"server ID", "metrics of static manifests carry it"}, takes[initializer.WantsAPIServerID], true},
		{row{"excluded resources", "the list is the server's"}, takes[initializer.WantsExcludedAdmissionResources], true},
		{row{"service resolver", "services are found by the server"}, takes[webhookinitializer.WantsServiceResolver], true},
		{row{"credentials wrapper", "the server adds its own"}, takes[webhookinitializer.WantsAuthenticationInfoResolverWrapper], true},
		{row{"effective version", "conditions in force may use every feature"}, takes[initializer.WantsEffectiveVersion], false},
		{row{"dynamic client", "the plugins look up no other objects"}, takes[initializer.WantsDynamicClient], false},
		{row{"authorizer", "the unconditional one is enough"}, takes[initializer.WantsAuthorizer], false},
		{row{"REST mapper", "the request has its kind and resource"}, takes[initializer.WantsRESTMapper], false},
	}, func(t *testing.T, name string, tc offerRow) {
		p := (&host{cluster: newCluster()}).prepare(t, name)
		if got := tc.takes(p); got != tc.want {
			t.Errorf("takes it: %v, want %v", got, tc.want)
		}
	})
}

// TestDefaultGates leaves the feature gates as a server of this version finds
// them: excluded resources are excluded, and a folder of manifests may be named
// (S-013).
func TestDefaultGates(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		h := host{
			cluster:  newCluster(configured(name, "a", backend(t, denies("no")))),
			excluded: []schema.GroupResource{{Resource: "pods"}},
		}
		p := h.open(t, name)
		if err := admit(t.Context(), p); err == nil {
			t.Errorf("%s: the request passed with the gate off", name)
		}
		p.(initializer.WantsFeatures).InspectFeatureGates(utilfeature.DefaultFeatureGate)
		if err := admit(t.Context(), p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		config := strings.NewReader(webhookAdmission + "staticManifestsDir: " + t.TempDir() + "\n")
		if got := testtable.Text(initialize(name, config)); strings.Contains(got, "couldn't init") {
			t.Errorf("%s: the folder is refused: %s", name, got)
		}
	}
}
