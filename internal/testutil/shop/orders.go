package shop

import (
	"path/filepath"
	"runtime"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Folder returns the folder that has crd.yaml and manifests.yaml and no other
// YAML.
func Folder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// Order returns an order of that many items. It is the caller's.
func Order(name string, items int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "shop.example.com/v1", "kind": "Order",
		"metadata": map[string]any{"name": name},
		"spec":     map[string]any{"items": items},
	}}
}

// Orders returns a client for the orders of namespace default in a server.
func Orders(tb testing.TB, config *rest.Config) dynamic.ResourceInterface {
	tb.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		tb.Fatal(err)
	}
	return client.Resource(schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "orders"}).Namespace("default")
}
