package serve_test

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/shop"
	"example.com/gatehouse/internal/testutil/testtable"
)

// stored is a project whose webhooks are Services in the server. Its caBundles
// are placeholders.
const stored = `
apiVersion: v1
kind: Namespace
metadata: {name: system}
---
apiVersion: v1
kind: Service
metadata: {name: hooks, namespace: system}
spec: {ports: [{name: https, port: 443, targetPort: 9443}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: hooks, namespace: system, labels: {kubernetes.io/service-name: hooks}}
addressType: IPv4
endpoints: [{addresses: [127.0.0.1]}]
ports: [{name: https, port: PORT}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.harbor.example.com}
spec:
  group: harbor.example.com
  scope: Cluster
  names: {kind: Boat, plural: boats}
  versions:
  - &version
    name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
  - <<: *version
    name: v2
    storage: false
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {caBundle: Cg==, service: {namespace: system, name: hooks, path: /convert}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: boats}
webhooks:
- name: boats.example.com
  clientConfig: {caBundle: Cg==, service: {namespace: system, name: hooks, path: /deny}}
  rules: [{apiGroups: [harbor.example.com], apiVersions: [v2], resources: [boats], operations: [DELETE]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

// TestStoredServices: webhooks, those that convert among them, are found by
// Services and EndpointSlices in the server, and --ca-file is put where a
// caBundle keeps a place.
func TestStoredServices(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/convert", convert)
	mux.Handle("/deny", shop.Deny("boats stay"))
	hooks := process.ServeTLS(t, mux, "hooks.system.svc")
	_, port, err := net.SplitHostPort(hooks.Address)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ca, project := filepath.Join(folder, "ca.crt"), filepath.Join(folder, "project.yaml")
	for file, text := range map[string]string{ca: string(hooks.CA), project: strings.Replace(stored, "PORT", port, 1)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := process.Start(t, binary, "--quiet", "-f", project, "--ca-file", ca)
	client, err := dynamic.NewForConfig(s.Config(t))
	if err != nil {
		t.Fatal(err)
	}
	boats := func(version string) dynamic.ResourceInterface {
		return client.Resource(schema.GroupVersionResource{Group: "harbor.example.com", Version: version, Resource: "boats"})
	}
	boat := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "harbor.example.com/v1", "kind": "Boat",
		"metadata": map[string]any{"name": "ida"}, "spec": map[string]any{},
	}}
	if _, err := boats("v1").Create(t.Context(), boat, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	converted, err := boats("v2").Get(t.Context(), "ida", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if from, _, _ := unstructured.NestedString(converted.Object, "spec", "from"); from != "harbor.example.com/v1" || converted.GetAPIVersion() != "harbor.example.com/v2" {
		t.Errorf("got %v, want one of v2 that the webhook has converted from v1", converted.Object)
	}
	const want = `admission webhook "boats.example.com" denied the request: boats stay`
	if err := boats("v1").Delete(t.Context(), "ida", metav1.DeleteOptions{}); testtable.Text(err) != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// convert is a webhook that writes into the spec what an object was converted
// from.
func convert(w http.ResponseWriter, r *http.Request) {
	var review apiextensionsv1.ConversionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "not a review", http.StatusBadRequest)
		return
	}
	response := &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, raw := range review.Request.Objects {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(raw.Raw); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = unstructured.SetNestedField(object.Object, object.GetAPIVersion(), "spec", "from")
		object.SetAPIVersion(review.Request.DesiredAPIVersion)
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Object: object})
	}
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}
