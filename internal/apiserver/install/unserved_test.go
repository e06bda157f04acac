package install

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/restmapper"
	clienttesting "k8s.io/client-go/testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestUnserved: the server of the test serves ConfigMaps, and the Boats of a
// definition in the version v1.
func TestUnserved(t *testing.T) {
	t.Parallel()
	const definition = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: d}, " +
		"spec: {group: example.com, names: {kind: Boat}, versions: [{name: v1, served: false}, {name: v2, served: true}]}}\n---\n"
	boat := func(version string) string {
		return "{apiVersion: example.com/" + version + ", kind: Boat, metadata: {name: " + version + "}}\n---\n"
	}
	type test struct {
		row
		text   string
		served []string
		err    string
	}
	testtable.Run(t, []test{
		{row{"served", "it can be applied"}, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", []string{"a"}, ""},
		{row{"kind", "the server has no such kind"}, "{apiVersion: v1, kind: Other, metadata: {name: a}}", nil, "v1 Other (1 object in standard input: document 1 (line 1))"},
		{row{"version", "the server has another one"}, boat("v1") + boat("v3"), []string{"v1"}, "example.com/v3 Boat (1 object in standard input: document 2 (line 3))"},
		{row{"defined", "its definition comes first, and replaces that of the server"}, definition + boat("v1") + boat("v2") + boat("v3"), []string{"d", "v2"},
			"example.com/v1 Boat (1 object in standard input: document 2 (line 3)), example.com/v3 Boat (1 object in standard input: document 4 (line 7))"},
	}, func(t *testing.T, r test) {
		discovery := &fake.FakeDiscovery{Fake: &clienttesting.Fake{Resources: []*metav1.APIResourceList{
			{GroupVersion: "v1", APIResources: []metav1.APIResource{{Name: "configmaps", Kind: "ConfigMap"}}},
			{GroupVersion: "apiextensions.k8s.io/v1", APIResources: []metav1.APIResource{{Name: "customresourcedefinitions", Kind: "CustomResourceDefinition"}}},
			{GroupVersion: "example.com/v1", APIResources: []metav1.APIResource{{Name: "boats", Kind: "Boat"}}},
		}}}
		a := &applier{mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discovery))}
		objects, unserved := a.served(read(t, r.text).objects)
		var names []string
		for _, o := range objects {
			names = append(names, o.GetName())
		}
		if diff := cmp.Diff(r.served, names); diff != "" {
			t.Errorf("served (-want +got):\n%s", diff)
		}
		got := ""
		if unserved != nil {
			got = unserved.list()
		}
		if got != r.err {
			t.Errorf("got %q, want %q", got, r.err)
		}
	})
}
