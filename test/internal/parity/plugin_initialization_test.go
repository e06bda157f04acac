package parity

import (
	"strings"
	"testing"

	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	featuregatetesting "k8s.io/component-base/featuregate/testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// initializationRow is a plugin to which some initializers have spoken.
type initializationRow struct {
	row
	manifests bool // a folder of manifests is configured
	gateOff   bool // and its feature is switched off after it was read
	loaders   bool // the host has loaders of manifests
	kube      bool
	factory   bool
	drained   bool
	want      string // DIR stands for the folder
	// loads is true if gatehouse does not need what want complains about,
	// because it has its own loader; ours is its complaint then.
	loads bool
	ours  string
}

func initializationRows() []initializationRow {
	return []initializationRow{{
		row:  row{"nothing", "S-007: the informers come first"},
		want: "kubernetes client is not properly setup",
	}, {
		row: row{"no informers", "S-007: the client alone does not help"}, kube: true,
		want: "kubernetes client is not properly setup",
	}, {
		row: row{"no client", "S-007: namespaces come second, and the lister is there"}, factory: true,
		want: "namespaceMatcher is not properly setup: the namespace matcher requires a client",
	}, {
		row: row{"no informers and manifests", "S-007: manifests come last"}, manifests: true, kube: true,
		want: "kubernetes client is not properly setup",
	}, {
		row: row{"no client and manifests", "S-007: manifests come last"}, manifests: true, factory: true,
		want: "namespaceMatcher is not properly setup: the namespace matcher requires a client",
	}, {
		row: row{"manifests without a gate", "S-007: the gate is asked a second time"}, manifests: true, gateOff: true,
		kube: true, factory: true, drained: true,
		want: `static webhook manifests dir "DIR" configured but ManifestBasedAdmissionControlConfig feature gate is not enabled`,
	}, {
		row: row{"manifests without a loader", "S-007: a server that is not kube-apiserver; gatehouse needs none"}, manifests: true,
		kube: true, factory: true, drained: true,
		want: `static webhook manifests configured in "DIR" but no static source factory is set`, loads: true,
	}, {
		row: row{"manifests without a loader or an end", "S-007: the loader is asked for before the channel"}, manifests: true,
		kube: true, factory: true,
		want:  `static webhook manifests configured in "DIR" but no static source factory is set`,
		loads: true, ours: "stopCh not set: WantsDrainedNotification must be called before ValidateInitialization",
	}, {
		row: row{"manifests without an end", "S-007: the channel ends the watch"}, manifests: true, loaders: true,
		kube: true, factory: true,
		want: "stopCh not set: WantsDrainedNotification must be called before ValidateInitialization",
	}, {
		row: row{"manifests without a gate, but with a loader", "S-007: the gate comes first"}, manifests: true, gateOff: true, loaders: true,
		kube: true, factory: true,
		want: `static webhook manifests dir "DIR" configured but ManifestBasedAdmissionControlConfig feature gate is not enabled`,
	}, {
		row: row{"manifests", "the folder is empty, which is no mistake"}, manifests: true, loaders: true,
		kube: true, factory: true, drained: true,
	}, {
		row: row{"all that is needed", "the base of the other rows must be in order"}, kube: true, factory: true, drained: true,
	}}
}

// TestPluginInitializationErrors is not parallel: a feature gate is global.
func TestPluginInitializationErrors(t *testing.T) {
	for _, tc := range testtable.Checked(t, initializationRows()) {
		upstream, ours := bothRegistries()
		for who, registry := range map[string]*apiadmission.Plugins{"upstream": upstream, "gatehouse": ours} {
			for _, name := range registry.Registered() {
				t.Run(tc.Name()+"/"+who+"/"+name, func(t *testing.T) {
					dir := t.TempDir()
					want := strings.ReplaceAll(tc.want, "DIR", dir)
					if tc.loads && who == "gatehouse" {
						want = tc.ours
					}
					if got := tc.initialize(t, registry, name, dir); got != want {
						t.Errorf("error:\nwant %s\ngot  %s\nwhy: %s", want, got, tc.Why())
					}
				})
			}
		}
	}
}

// initialize returns the text of the plugin's own error.
func (tc initializationRow) initialize(t *testing.T, registry *apiadmission.Plugins, name, dir string) string {
	t.Helper()
	config := webhookAdmission
	if tc.manifests {
		config += "staticManifestsDir: " + dir + "\n"
	}
	drained := make(chan struct{})
	t.Cleanup(func() { close(drained) })
	_, err := registry.InitPlugin(name, strings.NewReader(config), apiadmission.PluginInitializers{initializing(func(p apiadmission.Interface) {
		if tc.gateOff {
			featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.ManifestBasedAdmissionControlConfig, false)
		}
		if tc.loaders {
			p.(initializer.WantsManifestLoaders).SetManifestLoaders(manifestLoaders())
		}
		if tc.drained {
			p.(initializer.WantsDrainedNotification).SetDrainedNotification(drained)
		}
		kube := fake.NewClientset()
		if tc.kube {
			p.(initializer.WantsExternalKubeClientSet).SetExternalKubeClientSet(kube)
		}
		if tc.factory {
			p.(initializer.WantsExternalKubeInformerFactory).SetExternalKubeInformerFactory(informers.NewSharedInformerFactory(kube, 0))
		}
	})})
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(err.Error(), `failed to initialize admission plugin "`+name+`": `) // S-003
}

// initializing makes an initializer of a function.
type initializing func(apiadmission.Interface)

func (f initializing) Initialize(p apiadmission.Interface) { f(p) }
