package apiserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"example.com/gatehouse/internal/testutil/testtable"
)

var definitionsResource = apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")

// shapeless is a schema that keeps everything.
const shapeless = `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`

// sized is a schema of a number of replicas, three by default, a list that is
// merged by names, and some data.
const sized = `{"type":"object","properties":{
	"spec":{"type":"object","default":{},"properties":{"replicas":{"type":"integer","default":3,"minimum":0},
		"parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
			"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}}},
	"status":{"type":"object","properties":{"replicas":{"type":"integer"}}},
	"data":{"type":"object","properties":{"mutation-start":{"type":"string"},"mutation-stage-1":{"type":"string"}}}}}`

// pandas are a kind in its own group, seen from a test's namespace.
type pandas struct {
	*world
	group, namespace string
}

func (p pandas) name() string { return "pandas." + p.group }

// definition is one of two versions, the first of which is stored.
func definition(t *testing.T, group, schema, more string) *unstructured.Unstructured {
	t.Helper()
	version := func(name, stored string) string {
		return `{"name":"` + name + `","served":true,"storage":` + stored + `,"schema":{"openAPIV3Schema":` + schema + `},
			"subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
			"additionalPrinterColumns":[{"name":"Replicas","type":"integer","jsonPath":".spec.replicas"}]}`
	}
	return parse(t, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"pandas.`+group+`"},
		"spec":{"group":"`+group+`","scope":"Namespaced","names":{"plural":"pandas","singular":"panda","kind":"Panda","shortNames":["pd"],"categories":["bears"]},
		"versions":[`+version("v1", "true")+`,`+version("v2", "false")+`]`+more+`}}`)
}

// in returns the same kind seen from the test's own namespace.
func (p pandas) in(t *testing.T) pandas {
	t.Helper()
	p.namespace = p.world.namespace(t)
	return p
}

// define creates a definition and returns when its kind is served. The first
// two seconds k8s.io/apiextensions-apiserver lets each create wait for as long,
// which is why tests share kinds, or apply.
func (w *world) define(t *testing.T, group, schema, more string) pandas {
	t.Helper()
	p := pandas{w, group + ".example.com", "default"}
	must[*unstructured.Unstructured](t)(untyped(t, w.Server).Resource(definitionsResource).Create(t.Context(), definition(t, p.group, schema, more), metav1.CreateOptions{}))
	eventually(t, "pandas are not served", func() bool {
		_, err := p.at(t, "v1").Get(t.Context(), "missing", metav1.GetOptions{})
		return strings.HasSuffix(testtable.Text(err), `"missing" not found`)
	})
	return p
}

// at returns the client for a version.
func (p pandas) at(t *testing.T, version string) dynamic.ResourceInterface {
	t.Helper()
	kind := schema.GroupVersionResource{Group: p.group, Version: version, Resource: "pandas"}
	return untyped(t, p.Server).Resource(kind).Namespace(p.namespace)
}

// apply returns a panda as it is stored, created by a patch.
func (p pandas) apply(t *testing.T, version, manager, rest string) *unstructured.Unstructured {
	t.Helper()
	object := p.one(t, version, "a", rest)
	return must[*unstructured.Unstructured](t)(p.at(t, version).Apply(t.Context(), "a", object, metav1.ApplyOptions{FieldManager: manager}))
}

// one returns a panda with what follows its metadata.
func (p pandas) one(t *testing.T, version, name, rest string) *unstructured.Unstructured {
	t.Helper()
	return parse(t, `{"apiVersion":"`+p.group+`/`+version+`","kind":"Panda","metadata":{"name":"`+name+`"},`+rest+`}`)
}

// create returns a panda as it is stored.
func (p pandas) create(t *testing.T, version, name, rest string) (*unstructured.Unstructured, error) {
	t.Helper()
	return p.at(t, version).Create(t.Context(), p.one(t, version, name, rest), metav1.CreateOptions{})
}

func wantData(t *testing.T, object *unstructured.Unstructured, keys ...string) {
	t.Helper()
	want := map[string]string{}
	for _, key := range keys {
		want[key] = "yes"
	}
	got, _, err := unstructured.NestedStringMap(object.Object, "data")
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("data (-want, +got):\n%s", diff)
	}
}
