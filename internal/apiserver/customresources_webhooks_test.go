package apiserver

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"example.com/gatehouse/internal/testutil/testtable"
)

const writes = `"CREATE","UPDATE","DELETE"`

func wantText(t *testing.T, err error, want string) {
	t.Helper()
	if got := testtable.Text(err); want == "" && err != nil || !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// data is the data of a custom resource with one entry for the webhook.
func data(value string) string { return `"data":{"webhook-e2e-test":"` + value + `"}` }

func testDenyCustom(t *testing.T, w *world) {
	p := w.shapeless.in(t)
	w.install(t, "ValidatingWebhookConfiguration", webhook{handler("/custom-resource"), writes, p.group + "/pandas", inNamespace(p.namespace)})
	client := p.at(t, "v1")
	update := func(value string) error {
		current := must[*unstructured.Unstructured](t)(client.Get(t.Context(), "b", metav1.GetOptions{}))
		current.Object["data"] = map[string]any{"webhook-e2e-test": value}
		_, err := client.Update(t.Context(), current, metav1.UpdateOptions{})
		return err
	}

	_, err := p.create(t, "v1", "a", data("webhook-disallow"))
	wantText(t, err, "the custom resource contains unwanted data")
	must[*unstructured.Unstructured](t)(p.create(t, "v1", "b", data("webhook-nondeletable")))
	wantText(t, update("webhook-disallow"), "the custom resource contains unwanted data")
	wantText(t, client.Delete(t.Context(), "b", metav1.DeleteOptions{}), "the custom resource cannot be deleted because it contains unwanted key and value")
	wantText(t, update("webhook-allow"), "")
	wantText(t, client.Delete(t.Context(), "b", metav1.DeleteOptions{}), "")
}

// testExempt has webhooks for all configurations, which they must not see, lest
// clients could not remove them.
func testExempt(t *testing.T, w *world) {
	all := "admissionregistration.k8s.io/*"
	w.install(t, "ValidatingWebhookConfiguration", webhook{handler("/always-deny"), writes, all, ""})
	w.install(t, "MutatingWebhookConfiguration", webhook{handler("/mutating-custom-resource"), `"CREATE"`, all, ""})
	for _, plural := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		client := reach(t, w.Server, find(t, plural))
		object := parse(t, `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"`+find(t, plural).Kind+`","metadata":{"name":"`+own(t)+`-dummy"},"data":{"mutation-start":"yes"}}`)
		created := must[*unstructured.Unstructured](t)(client.Create(t.Context(), object, metav1.CreateOptions{}))
		wantData(t, created)
		wantText(t, client.Delete(t.Context(), object.GetName(), metav1.DeleteOptions{}), "")
	}
}

// stages are the two mutating webhooks of the conformance tests.
func (p pandas) stages(t *testing.T) {
	t.Helper()
	p.install(t, "MutatingWebhookConfiguration",
		webhook{handler("/mutating-custom-resource"), `"CREATE","UPDATE"`, p.group + "/pandas", inNamespace(p.namespace)},
		webhook{handler("/mutating-custom-resource"), `"CREATE"`, p.group + "/pandas", inNamespace(p.namespace)})
}

const mutationStart = `"data":{"mutation-start":"yes"}`

func testMutateCustom(t *testing.T, w *world) {
	p := w.shapeless.in(t)
	p.stages(t)
	for _, version := range []string{"v1", "v2"} {
		created := must[*unstructured.Unstructured](t)(p.create(t, version, version, mutationStart))
		wantData(t, created, "mutation-start", "mutation-stage-1", "mutation-stage-2")
	}
}

func testDenyDefinition(t *testing.T, w *world) {
	selector := `,"objectSelector":{"matchLabels":{"test":"` + own(t) + `"}}`
	w.install(t, "ValidatingWebhookConfiguration", webhook{handler("/crd"), `"CREATE"`, "apiextensions.k8s.io/customresourcedefinitions", selector})
	object := definition(t, own(t)+".example.com", shapeless, "")
	object.SetLabels(map[string]string{"test": own(t), "webhook-e2e-test": "webhook-disallow"})
	_, err := untyped(t, w.Server).Resource(definitionsResource).Create(t.Context(), object, metav1.CreateOptions{})
	wantText(t, err, "the crd contains unwanted label")
}

func testStoredVersion(t *testing.T, w *world) {
	p := w.define(t, own(t), shapeless, "").in(t)
	p.stages(t)
	must[*unstructured.Unstructured](t)(p.create(t, "v1", "a", mutationStart))
	patch := []byte(`[{"op":"replace","path":"/spec/versions/0/storage","value":false},{"op":"replace","path":"/spec/versions/1/storage","value":true}]`)
	must[*unstructured.Unstructured](t)(w.definitions(t).Patch(t.Context(), p.name(), types.JSONPatchType, patch, metav1.PatchOptions{}))
	dummy := []byte(`[{"op":"add","path":"/dummy","value":"test"}]`)
	patched := must[*unstructured.Unstructured](t)(p.at(t, "v2").Patch(t.Context(), "a", types.JSONPatchType, dummy, metav1.PatchOptions{}))
	wantData(t, patched, "mutation-start", "mutation-stage-1", "mutation-stage-2")
	if patched.Object["dummy"] != "test" {
		t.Errorf("dummy is %v", patched.Object["dummy"])
	}
}

func testPruning(t *testing.T, w *world) {
	p := w.sized.in(t)
	p.stages(t)
	created := must[*unstructured.Unstructured](t)(p.create(t, "v1", "a", mutationStart))
	wantData(t, created, "mutation-start", "mutation-stage-1")
}

func (w *world) definitions(t *testing.T) dynamic.ResourceInterface {
	t.Helper()
	return untyped(t, w.Server).Resource(definitionsResource)
}
