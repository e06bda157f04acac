package scenarios_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/testutil/testtable"
)

type (
	definition = apiextensionsv1.CustomResourceDefinition
	properties = map[string]apiextensionsv1.JSONSchemaProps
)

// group is the scenario's own, in which there are pandas.
func (w *world) group() string { return w.namespace + ".example.com" }

// shapeless is a schema that keeps everything.
func shapeless() apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: ptr.To(true)}
}

// definition defines pandas of v1, which is stored, and v2.
func (w *world) definition(s apiextensionsv1.JSONSchemaProps) *definition {
	version := func(name string, stored bool) apiextensionsv1.CustomResourceDefinitionVersion {
		return apiextensionsv1.CustomResourceDefinitionVersion{
			Name: name, Served: true, Storage: stored, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &s},
		}
	}
	return &definition{
		ObjectMeta: metav1.ObjectMeta{Name: "pandas." + w.group()},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: w.group(), Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "pandas", Kind: "Panda"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", true), version("v2", false)},
		},
	}
}

// define returns when pandas are served.
func (w *world) define(t *testing.T, s apiextensionsv1.JSONSchemaProps) {
	t.Helper()
	client := w.definitions.ApiextensionsV1().CustomResourceDefinitions()
	must[*definition](t)(client.Create(t.Context(), w.definition(s), metav1.CreateOptions{}))
	for _, version := range []string{"v1", "v2"} {
		eventually(t, version+" is not served", func() bool {
			_, err := w.pandas(version).Get(t.Context(), "missing", metav1.GetOptions{})
			return testtable.Text(err) == `pandas.`+w.group()+` "missing" not found`
		})
	}
}

// pandas are those of the scenario's namespace, in a version.
func (w *world) pandas(version string) dynamic.ResourceInterface {
	kind := schema.GroupVersionResource{Group: w.group(), Version: version, Resource: "pandas"}
	return w.dynamic.Resource(kind).Namespace(w.namespace)
}

// createPanda creates one of v1.
func (w *world) createPanda(t *testing.T, name string, d data) (*unstructured.Unstructured, error) {
	t.Helper()
	panda := &unstructured.Unstructured{Object: map[string]any{"apiVersion": w.group() + "/v1", "kind": "Panda"}}
	panda.SetName(name)
	setData(t, panda, d)
	return w.pandas("v1").Create(t.Context(), panda, metav1.CreateOptions{})
}

func setData(t *testing.T, panda *unstructured.Unstructured, d data) {
	t.Helper()
	if err := unstructured.SetNestedStringMap(panda.Object, d, "data"); err != nil {
		t.Fatal(err)
	}
}

func dataOf(t *testing.T, panda *unstructured.Unstructured) data {
	t.Helper()
	d, _, err := unstructured.NestedStringMap(panda.Object, "data")
	if err != nil {
		t.Fatal(err)
	}
	return d
}
