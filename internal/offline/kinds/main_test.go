package kinds_test

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// gvk reads "apps/v1 Deployment".
func gvk(s string) schema.GroupVersionKind {
	version, kind, _ := strings.Cut(s, " ")
	return schema.FromAPIVersionAndKind(version, kind)
}

// widgets defines the namespaced kind Widget in example.com: v1 and v2 are
// served, v0 is not any more.
func widgets() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "widgets.example.com"
	crd.Spec.Group = "example.com"
	crd.Spec.Names.Plural, crd.Spec.Names.Kind = "widgets", "Widget"
	crd.Spec.Scope = apiextensionsv1.NamespaceScoped
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{
		{Name: "v0"},
		{Name: "v1", Served: true, Subresources: &apiextensionsv1.CustomResourceSubresources{
			Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
			Scale:  &apiextensionsv1.CustomResourceSubresourceScale{},
		}},
		{Name: "v2", Served: true, Storage: true},
	}
	return crd
}

// gears defines the cluster-scoped kind Gear, whose versions a webhook
// converts.
func gears() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "gears.example.com"
	crd.Spec.Group = "example.com"
	crd.Spec.Names.Plural, crd.Spec.Names.Kind = "gears", "Gear"
	crd.Spec.Scope = apiextensionsv1.ClusterScoped
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true}, {Name: "v2", Served: true}}
	return crd
}

// taught returns a registry that knows the two.
func taught(t *testing.T) *kinds.Registry {
	t.Helper()
	r := kinds.New()
	for _, crd := range []*apiextensionsv1.CustomResourceDefinition{widgets(), gears()} {
		if err := r.AddCRD(crd); err != nil {
			t.Fatal(err)
		}
	}
	return r
}
