package embedding

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/apiserver/etcd"
)

// pandas are custom resources in two versions that differ in nothing but their
// name (I-G).
func pandas() resource {
	at := func(version string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: "zoo.example.com", Version: version, Resource: "pandas"}
	}
	size := []string{"spec", "replicas"}
	return resource{first: at("v1"), second: at("v2"), kind: "Panda", size: map[string][]string{"v1": size, "v2": size}}
}

func pandaDefinition() *apiextensionsv1.CustomResourceDefinition {
	number := apiextensionsv1.JSONSchemaProps{Type: "integer"}
	part := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"replicas": number}}
	version := func(name string, stored bool) apiextensionsv1.CustomResourceDefinitionVersion {
		return apiextensionsv1.CustomResourceDefinitionVersion{
			Name: name, Served: true, Storage: stored,
			Subresources: &apiextensionsv1.CustomResourceSubresources{
				Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
				Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"},
			},
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": part, "status": part},
			}},
		}
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "pandas.zoo.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "zoo.example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "pandas", Kind: "Panda", ListKind: "PandaList", Singular: "panda"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", true), version("v2", false)},
		},
	}
}

// startExtension starts an apiextensions-apiserver, and creates the CRD of
// pandas.
func startExtension(t *testing.T, p plugins, e environment) *server {
	t.Helper()
	s := &server{name: p.name, static: e.namespaceOf("extension", manifestsScenario, p.name), resource: pandas()}
	storage, err := etcd.Start(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	o := options.NewCustomResourceDefinitionsServerOptions(io.Discard, io.Discard)
	e.common(t, o.RecommendedOptions, p, s)
	o.RecommendedOptions.Etcd.StorageConfig.Transport.ServerList = []string{storage.Endpoint()}
	// No delegated authentication and authorization: see letIn.
	o.RecommendedOptions.Authentication, o.RecommendedOptions.Authorization = nil, nil
	if err := errors.Join(o.Complete(), o.Validate()); err != nil {
		t.Fatal(err)
	}
	config, err := o.Config()
	if err != nil {
		t.Fatal(err)
	}
	letIn(&config.GenericConfig.Config)
	extension, err := config.Complete().New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		t.Fatal(err)
	}
	generic := extension.GenericAPIServer
	s.run(t, generic, func(ctx context.Context) error {
		return errors.Join(generic.PrepareRun().RunWithContext(ctx), storage.Stop())
	})
	definePandas(t, s.config)
	return s
}

// definePandas returns when pandas are served.
func definePandas(t *testing.T, config *rest.Config) {
	t.Helper()
	definitions, err := clientset.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	client := definitions.ApiextensionsV1().CustomResourceDefinitions()
	if _, err := client.Create(t.Context(), pandaDefinition(), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	err = wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		found, err := client.Get(ctx, "pandas.zoo.example.com", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, c := range found.Status.Conditions {
			if c.Type == apiextensionsv1.Established && c.Status == apiextensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		t.Fatalf("pandas are not served: %v", err)
	}
}
