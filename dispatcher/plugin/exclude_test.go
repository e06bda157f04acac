package plugin_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
)

// excludeRow is a request for a pod and what a server has excluded.
type excludeRow struct {
	row
	exclude  bool
	excluded []schema.GroupResource
	passes   bool
}

// TestExcluded sends a request that the only webhook would deny.
func TestExcluded(t *testing.T) {
	t.Parallel()
	pods := []schema.GroupResource{{Resource: "pods"}}
	runTable(t, []excludeRow{{
		row:     row{"gate on", "S-010: no webhook sees the request"},
		exclude: true, excluded: pods, passes: true,
	}, {
		row:      row{"gate off", "S-014: the list counts for nothing"},
		excluded: pods,
	}, {
		row:     row{"another group", "S-011: the group counts"},
		exclude: true, excluded: []schema.GroupResource{{Group: "metrics.k8s.io", Resource: "pods"}},
	}, {
		row:     row{"nothing excluded", "S-011: the list is the server's; the plugin has no default"},
		exclude: true,
	}}, func(t *testing.T, name string, tc excludeRow) {
		h := host{
			cluster: newCluster(configured(name, "a", backend(t, denies("no")))),
			exclude: tc.exclude, excluded: tc.excluded,
		}
		if err := admit(t.Context(), h.open(t, name)); (err == nil) != tc.passes {
			t.Errorf("passes: want %v, got error %v", tc.passes, err)
		}
	})
}

// TestGateIsFlipped has the plugin look at other feature gates while it serves
// (S-014). Lists add up, from the next initialization on.
func TestGateIsFlipped(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		h := host{
			cluster:  newCluster(configured(name, "a", backend(t, denies("no")))),
			excluded: []schema.GroupResource{{Group: "apps", Resource: "deployments"}},
		}
		p := h.open(t, name)
		expect := func(when string, passes bool) {
			t.Helper()
			if err := admit(t.Context(), p); (err == nil) != passes {
				t.Errorf("%s, %s: passes: want %v, got error %v", name, when, passes, err)
			}
		}
		flip := func(on bool) { p.(initializer.WantsFeatures).InspectFeatureGates(gates(t, on)) }
		expect("at first", false)
		for _, list := range []excluding{{{Resource: "pods"}}, {{Group: "batch", Resource: "jobs"}}} {
			list.Initialize(p)
			if err := apiadmission.ValidateInitialization(p); err != nil {
				t.Fatal(err)
			}
		}
		expect("with a longer list", false)
		flip(true)
		expect("with the gate on", true)
		flip(false)
		expect("with the gate off again", false)
	}
}
