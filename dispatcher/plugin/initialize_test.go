package plugin_test

import (
	"fmt"
	"os"
	"testing"

	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/testtable"
)

// initializationRow is a plugin to which some initializers have spoken.
type initializationRow struct {
	row
	kube, factory bool
	want          string
}

// TestInitializationErrors pins the texts and their order; that they are
// kube-apiserver's is compared with it elsewhere.
func TestInitializationErrors(t *testing.T) {
	t.Parallel()
	runTable(t, []initializationRow{{
		row:  row{"nothing", "S-007: the informers are checked first"},
		want: "kubernetes client is not properly setup",
	}, {
		row:  row{"no informers", "S-007: namespaces can be read from the client, configurations cannot"},
		kube: true,
		want: "kubernetes client is not properly setup",
	}, {
		row:     row{"no client", "S-007: the informer may know less than the server"},
		factory: true,
		want:    "namespaceMatcher is not properly setup: the namespace matcher requires a client",
	}}, func(t *testing.T, name string, tc initializationRow) {
		plugins, c := apiadmission.NewPlugins(), newCluster()
		plugin.Register(plugins)
		_, err := plugins.InitPlugin(name, nil, speaker(func(p apiadmission.Interface) {
			if tc.kube {
				p.(initializer.WantsExternalKubeClientSet).SetExternalKubeClientSet(c.kube)
			}
			if tc.factory {
				p.(initializer.WantsExternalKubeInformerFactory).SetExternalKubeInformerFactory(c.factory)
			}
		}))
		if want := `failed to initialize admission plugin "` + name + `": ` + tc.want; testtable.Text(err) != want {
			t.Errorf("error:\nwant %s\ngot  %v", want, err)
		}
	})
}

// speaker makes an initializer of a function.
type speaker func(apiadmission.Interface)

func (s speaker) Initialize(p apiadmission.Interface) { s(p) }

// TestAnotherFactory gives a plugin that serves requests the informers of
// another cluster, as servers do that are configured anew (S-008).
func TestAnotherFactory(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		first := host{cluster: newCluster(configured(name, "a", backend(t, denies("first"))))}
		p := first.open(t, name)
		const begin = `admission webhook "a.example.com" denied the request: `
		if got := testtable.Text(admit(t.Context(), p)); got != begin+"first" {
			t.Fatalf("%s: %s", name, got)
		}
		second := newCluster(configured(name, "a", backend(t, denies("second"))))
		p.(initializer.WantsExternalKubeInformerFactory).SetExternalKubeInformerFactory(second.factory)
		if got := testtable.Text(admit(t.Context(), p)); got != begin+"first" {
			t.Errorf("%s: before ValidateInitialization: %s", name, got)
		}
		if err := apiadmission.ValidateInitialization(p); err != nil {
			t.Fatal(err)
		}
		second.start(t)
		if got := testtable.Text(admit(t.Context(), p)); got != begin+"second" {
			t.Errorf("%s: after ValidateInitialization: %s", name, got)
		}
	}
}

// TestAnotherFactoryWithManifests does so with static manifests, for which
// upstream would go on with the first informers. The folder is opened once.
func TestAnotherFactoryWithManifests(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		dir, config := folder(t, manifest(t, name, "static", allows()))
		p := (&host{config: config, cluster: newCluster()}).open(t, name)
		if err := admit(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		second := newCluster(configured(name, "a", backend(t, denies("no"))))
		p.(initializer.WantsExternalKubeInformerFactory).SetExternalKubeInformerFactory(second.factory)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err) // it could not be opened again
		}
		if err := apiadmission.ValidateInitialization(p); err != nil {
			t.Fatal(err)
		}
		second.start(t)
		if got, want := testtable.Text(admit(t.Context(), p)), fmt.Sprintf(deniedBy, "a"); got != want {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
	}
}

// TestInitializedTwice validates a plugin again without any change.
func TestInitializedTwice(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		h := host{cluster: newCluster(configured(name, "a", backend(t, denies("no"))))}
		p := h.open(t, name)
		if err := apiadmission.ValidateInitialization(p); err != nil {
			t.Fatal(err)
		}
		if got := testtable.Text(admit(t.Context(), p)); got != `admission webhook "a.example.com" denied the request: no` {
			t.Errorf("%s: %s", name, got)
		}
	}
}
