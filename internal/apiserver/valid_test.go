package apiserver

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"

	"example.com/gatehouse/internal/manifest"
)

// TestValid: nothing is rejected that kube-apiserver accepts.
func TestValid(t *testing.T) {
	t.Parallel()
	client, err := discovery.NewDiscoveryClientForConfig(shared.ClientConfig())
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDiscoveryRESTMapper(must[[]*restmapper.APIGroupResources](t)(restmapper.GetAPIGroupResources(client)))
	number := 0
	for document, err := range (&manifest.Reader{}).Filled([]string{"testdata/valid.yaml"}) {
		if err != nil {
			t.Fatal(err)
		}
		number++
		object, err := document.Unstructured()
		if err != nil {
			t.Fatal(err)
		}
		kind := object.GroupVersionKind()
		mapping := must[*meta.RESTMapping](t)(mapper.RESTMapping(kind.GroupKind(), kind.Version))
		var resource dynamic.ResourceInterface = untyped(t, shared).Resource(mapping.Resource)
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			resource = untyped(t, shared).Resource(mapping.Resource).Namespace("default")
		}
		if _, err := resource.Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
			t.Errorf("%v", document.Wrap("", err))
		}
	}
	if number < 60 {
		t.Errorf("%d objects", number)
	}
}
