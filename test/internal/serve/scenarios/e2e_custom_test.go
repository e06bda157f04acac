package scenarios_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// onPandas is a rule for both versions.
func (w *world) onPandas(operations ...operation) rule {
	return on(w.group(), []string{"v1", "v2"}, "pandas", operations...)
}

// testDenyCustom is E-04.
func testDenyCustom(t *testing.T, w *world) {
	w.define(t, shapeless())
	w.validate(t, w.validating("deny-unwanted-custom-resource-data.k8s.io", "/custom-resource",
		w.onPandas(registrationv1.Create, registrationv1.Update, registrationv1.Delete)))
	const unwantedText = "the custom resource contains unwanted data"
	_, err := w.createPanda(t, "disallowed", unwanted())
	wantError(t, err, unwantedText)

	panda := must[*unstructured.Unstructured](t)(w.createPanda(t, "nondeletable", data{entry: "webhook-nondeletable"}))
	client := w.pandas("v1")
	setData(t, panda, unwanted())
	_, err = client.Update(t.Context(), panda, metav1.UpdateOptions{})
	wantError(t, err, unwantedText)
	err = client.Delete(t.Context(), panda.GetName(), metav1.DeleteOptions{})
	wantError(t, err, "the custom resource cannot be deleted because it contains unwanted key and value")
	setData(t, panda, data{entry: "webhook-allow"})
	must[*unstructured.Unstructured](t)(client.Update(t.Context(), panda, metav1.UpdateOptions{}))
	wantNone(t, client.Delete(t.Context(), panda.GetName(), metav1.DeleteOptions{}))
}

// mutatePandas registers the webhooks of E-09, which E-11 and E-12 use as well.
func (w *world) mutatePandas(t *testing.T) {
	t.Helper()
	const path = "/mutating-custom-resource"
	w.mutate(t,
		w.mutating("mutate-custom-resource-data-stage-1.k8s.io", path, w.onPandas(registrationv1.Create, registrationv1.Update)),
		w.mutating("mutate-custom-resource-data-stage-2.k8s.io", path, w.onPandas(registrationv1.Create)))
}

// testMutateCustom is E-09.
func testMutateCustom(t *testing.T, w *world) {
	w.define(t, shapeless())
	w.mutatePandas(t)
	created := must[*unstructured.Unstructured](t)(w.createPanda(t, "mutated", started()))
	wantData(t, dataOf(t, created), "mutation-start", "mutation-stage-1", "mutation-stage-2")
}

// testDenyDefinition is E-10.
func testDenyDefinition(t *testing.T, w *world) {
	deny := w.validating("deny-crd-with-unwanted-label.k8s.io", "/crd",
		on(apiextensionsv1.GroupName, []string{"*"}, "customresourcedefinitions", registrationv1.Create))
	deny.NamespaceSelector, deny.ObjectSelector = nil, selector(w.namespace)
	w.validate(t, deny)
	object := w.definition(shapeless())
	object.Labels = unwanted()
	object.Labels[w.namespace] = "true"
	_, err := w.definitions.ApiextensionsV1().CustomResourceDefinitions().Create(t.Context(), object, metav1.CreateOptions{})
	wantError(t, err, "the crd contains unwanted label")
}

// testStoredVersion is E-11.
func testStoredVersion(t *testing.T, w *world) {
	w.define(t, shapeless())
	w.mutatePandas(t)
	created := must[*unstructured.Unstructured](t)(w.createPanda(t, "stored", started()))
	wantData(t, dataOf(t, created), "mutation-start", "mutation-stage-1", "mutation-stage-2")

	swap := []byte(`[{"op":"replace","path":"/spec/versions/0/storage","value":false},{"op":"replace","path":"/spec/versions/1/storage","value":true}]`)
	definitions := w.definitions.ApiextensionsV1().CustomResourceDefinitions()
	changed := must[*definition](t)(definitions.Patch(t.Context(), "pandas."+w.group(), types.JSONPatchType, swap, metav1.PatchOptions{}))
	if diff := cmp.Diff([]string{"v1", "v2"}, changed.Status.StoredVersions); diff != "" {
		t.Errorf("stored versions (-want, +got):\n%s", diff)
	}
	dummy := []byte(`[{"op":"add","path":"/dummy","value":"test"}]`)
	patched := must[*unstructured.Unstructured](t)(w.pandas("v2").Patch(t.Context(), "stored", types.JSONPatchType, dummy, metav1.PatchOptions{}))
	wantData(t, dataOf(t, patched), "mutation-start", "mutation-stage-1", "mutation-stage-2")
	if patched.Object["dummy"] != "test" {
		t.Errorf("dummy is %v, want test", patched.Object["dummy"])
	}
}

// testPruning is E-12: the schema does not know what the second webhook adds.
func testPruning(t *testing.T, w *world) {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	w.define(t, apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties{
		"data": {Type: "object", Properties: properties{"mutation-start": text, "mutation-stage-1": text}},
	}})
	w.mutatePandas(t)
	created := must[*unstructured.Unstructured](t)(w.createPanda(t, "pruned", started()))
	wantData(t, dataOf(t, created), "mutation-start", "mutation-stage-1")
}
