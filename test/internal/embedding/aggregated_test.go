package embedding

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	robots "example.com/gatehouse/examples/aggregated-apiserver/server"
)

// robotResource has versions that differ in the names of their fields.
func robotResource() resource {
	at := func(version string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: "toys.example.com", Version: version, Resource: "robots"}
	}
	return resource{
		first: at("v1"), second: at("v1alpha1"), kind: "Robot",
		size:  map[string][]string{"v1": {"spec", "replicas"}, "v1alpha1": {"spec", "count"}},
		label: map[string][]string{"v1": {"spec", "model"}, "v1alpha1": {"spec", "type"}},
	}
}

// startAggregated starts the example.
func startAggregated(t *testing.T, p plugins, e environment) *server {
	t.Helper()
	s := &server{name: p.name, static: e.namespaceOf("aggregated", manifestsScenario, p.name), resource: robotResource()}
	o, err := robots.NewOptions(p.register)
	if err != nil {
		t.Fatal(err)
	}
	o.DataDir = t.TempDir()
	o.TokenFile = filepath.Join(o.DataDir, "tokens.csv")
	if err := os.WriteFile(o.TokenFile, []byte(token+",ann,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.common(t, o.Recommended, p, s)
	made, err := o.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, made.Generic, made.Run)
	return s
}
