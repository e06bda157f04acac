package apiserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
)

// testDefinitionLife ends a kind, which takes its objects along.
func testDefinitionLife(t *testing.T, w *world) {
	p := w.define(t, own(t), sized, "").in(t)
	p.apply(t, "v1", "test", `"spec":{}`)
	wantText(t, w.definitions(t).Delete(t.Context(), p.name(), metav1.DeleteOptions{}), "")
	eventually(t, "the definition stays", func() bool {
		_, err := w.definitions(t).Get(t.Context(), p.name(), metav1.GetOptions{})
		return err != nil
	})
	eventually(t, "its kind is served on", func() bool {
		_, err := p.at(t, "v1").Get(t.Context(), "a", metav1.GetOptions{})
		return err != nil && strings.Contains(err.Error(), "the server could not find the requested resource")
	})
	eventually(t, "its group stays in /apis", func() bool {
		return !strings.Contains(string(w.get(t, "/apis", "application/json")), `"`+p.group+`"`)
	})
	for _, legacy := range []bool{true, false} {
		eventually(t, "its group is listed on", func() bool { return len(foundPandas(t, p, legacy)) == 0 })
	}
}

// testFirstList: clients need not ask twice for the first list of a kind.
func testFirstList(t *testing.T, w *world) {
	group := own(t) + ".example.com"
	o := definition(t, group, shapeless, "")
	must[*unstructured.Unstructured](t)(w.definitions(t).Create(t.Context(), o, metav1.CreateOptions{}))
	client, err := discovery.NewDiscoveryClientForConfig(w.ClientConfig())
	if err != nil {
		t.Fatal(err)
	}
	list := client.RESTClient().Get().AbsPath("/apis/" + group + "/v1/pandas").MaxRetries(0)
	eventually(t, "pandas are not served", func() bool {
		err := list.Do(t.Context()).Error()
		if apierrors.IsTooManyRequests(err) {
			t.Fatal(err)
		}
		return err == nil
	})
}

// foundPandas returns the group of pandas as clients find it, nothing if they
// do not.
func foundPandas(t *testing.T, p pandas, legacy bool) []string {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(p.ClientConfig())
	if err != nil {
		t.Fatal(err)
	}
	client.UseLegacyDiscovery = legacy
	groups, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return nil // a group that is on its way in or out
	}
	var found []string
	for _, group := range groups {
		if group.Name == p.group {
			found = append(found, "prefers "+group.PreferredVersion.Version)
		}
	}
	for _, list := range lists {
		if version, ok := strings.CutPrefix(list.GroupVersion, p.group+"/"); ok {
			for _, r := range list.APIResources {
				found = append(found, fmt.Sprintln(version, r.Kind, r.Name, r.ShortNames, r.Categories, r.Namespaced))
			}
		}
	}
	slices.Sort(found) // the versions, which the two ways list in different orders
	return found
}

func testCustomDiscovery(t *testing.T, w *world) {
	p := w.shapeless
	want := []string{"prefers v2"}
	for _, version := range []string{"v1", "v2"} {
		want = append(want, version+" Panda pandas [pd] [bears] true\n", version+" Panda pandas/status [] [] true\n", version+" Scale pandas/scale [] [] true\n")
	}
	for _, legacy := range []bool{true, false} {
		var got []string
		eventually(t, "its group is not listed", func() bool { got = foundPandas(t, p, legacy); return len(got) >= len(want) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("legacy %v (-want, +got):\n%s", legacy, diff)
		}
	}
}

// testCustomDocuments also looks for the documents of CustomResourceDefinitions
// themselves.
func testCustomDocuments(t *testing.T, w *world) {
	p := w.sized
	contains := func(path, text string) func() bool {
		return func() bool { return strings.Contains(string(w.get(t, path, "application/json")), text) }
	}
	eventually(t, "no OpenAPI v2", contains("/openapi/v2", `"/apis/`+p.group+`/v1/namespaces/{namespace}/pandas"`))
	eventually(t, "no OpenAPI v3", contains("/openapi/v3", `"apis/`+p.group+`/v2"`))
	for path, want := range map[string]string{
		"/readyz?verbose":                          "[+]poststarthook/crd-informer-synced ok",
		"/openapi/v3/apis/" + p.group + "/v2":      `"x-kubernetes-list-map-keys"`,
		"/openapi/v2":                              `"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition":`,
		"/openapi/v3/apis/apiextensions.k8s.io/v1": `"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition":`,
	} {
		if !contains(path, want)() {
			t.Errorf("%s lacks %s", path, want)
		}
	}
	for _, path := range []string{"/openapi/v2", "/openapi/v3/apis/apiextensions.k8s.io/v1"} {
		if contains(path, "__internal")() {
			t.Errorf("%s mentions internal versions", path)
		}
	}
}

func testCustomTable(t *testing.T, w *world) {
	p := w.sized.in(t)
	must[*unstructured.Unstructured](t)(p.create(t, "v1", "a", `"spec":{"replicas":7}`))
	var got metav1.Table
	body := w.get(t, "/apis/"+p.group+"/v1/namespaces/"+p.namespace+"/pandas", "application/json;as=Table;v=v1;g=meta.k8s.io")
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.ColumnDefinitions) != 2 || got.ColumnDefinitions[1].Name != "Replicas" {
		t.Fatalf("columns are %v", got.ColumnDefinitions)
	}
	if diff := cmp.Diff([]any{"a", 7.0}, got.Rows[0].Cells); diff != "" {
		t.Errorf("row (-want, +got):\n%s", diff)
	}
}

func testCustomSubresources(t *testing.T, w *world) {
	p := w.sized.in(t)
	client, got := p.at(t, "v1"), must[*unstructured.Unstructured](t)
	created := got(p.create(t, "v1", "a", `"spec":{},"status":{"replicas":5}`))
	if _, ok := created.Object["status"]; ok {
		t.Error("a create has set the status")
	}
	patch := []byte(`{"spec":{"replicas":1},"status":{"replicas":2}}`)
	object := got(client.Patch(t.Context(), "a", types.MergePatchType, patch, metav1.PatchOptions{}, "status"))
	scale := got(client.Get(t.Context(), "a", metav1.GetOptions{}, "scale"))
	want := []any{map[string]any{"replicas": int64(3)}, map[string]any{"replicas": int64(2)}, map[string]any{"replicas": int64(3)}, map[string]any{"replicas": int64(2)}}
	if diff := cmp.Diff(want, []any{object.Object["spec"], object.Object["status"], scale.Object["spec"], scale.Object["status"]}); diff != "" {
		t.Errorf("object and scale (-want, +got):\n%s", diff)
	}
	got(client.Patch(t.Context(), "a", types.MergePatchType, []byte(`{"spec":{"replicas":9}}`), metav1.PatchOptions{}, "scale"))
	object = got(client.Get(t.Context(), "a", metav1.GetOptions{}))
	if diff := cmp.Diff(map[string]any{"replicas": int64(9)}, object.Object["spec"]); diff != "" || object.GetGeneration() != 2 {
		t.Errorf("generation %d of a scaled object (-want, +got):\n%s", object.GetGeneration(), diff)
	}
}

func testCustomDefaults(t *testing.T, w *world) {
	p := w.sized.in(t)
	created := must[*unstructured.Unstructured](t)(p.create(t, "v1", "a", `"extra":1`))
	if diff := cmp.Diff(map[string]any{"replicas": int64(3)}, created.Object["spec"]); diff != "" {
		t.Errorf("spec (-want, +got):\n%s", diff)
	}
	if _, ok := created.Object["extra"]; ok {
		t.Error("an unknown field is kept")
	}
	_, err := p.create(t, "v1", "b", `"spec":{"replicas":-1}`)
	wantReason(t, err, metav1.StatusReasonInvalid)
}

// testCustomApply has two managers apply an item each to a list that has keys.
func testCustomApply(t *testing.T, w *world) {
	p := w.sized.in(t)
	p.apply(t, "v1", "first", `"spec":{"parts":[{"name":"first"}]}`)
	last := p.apply(t, "v1", "second", `"spec":{"parts":[{"name":"second"}]}`)
	parts, _, err := unstructured.NestedSlice(last.Object, "spec", "parts")
	if err != nil || len(parts) != 2 {
		t.Errorf("parts are %v, %v", parts, err)
	}
}

// testConversion writes in one version and reads in the other, through a
// webhook.
func testConversion(t *testing.T, w *world) {
	for kind, client := range map[string]string{
		"handler": handler("/convert"),
		"route":   w.trusted(t, `"service":{"namespace":"hooks","name":"routed","path":"/convert"}`),
		"address": w.trusted(t, `"url":"https://`+w.address+`/convert"`),
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := w.define(t, own(t), shapeless, `,"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":`+client+`}}`).in(t)
			p.apply(t, "v1", "test", `"spec":{"size":4}`)
			got := must[*unstructured.Unstructured](t)(p.at(t, "v2").Get(t.Context(), "a", metav1.GetOptions{}))
			if diff := cmp.Diff(map[string]any{"extent": int64(4)}, got.Object["spec"]); diff != "" {
				t.Errorf("spec (-want, +got):\n%s", diff)
			}
		})
	}
}
