package typecheck

import (
	"maps"
	"slices"
	"testing"

	extensionsscheme "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/scheme"
	extensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apicel "k8s.io/apiserver/pkg/cel"
	celopenapi "k8s.io/apiserver/pkg/cel/openapi"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/common"

	"example.com/gatehouse/internal/apiserver/openapi"
)

// TestBuiltinTypes holds the types that come from Go types against those of the
// OpenAPI definitions, from which kube-controller-manager has them.
func TestBuiltinTypes(t *testing.T) {
	t.Parallel()
	definitions := resolver.NewDefinitionsSchemaResolver(
		func(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
			all := openapi.GetOpenAPIDefinitions(ref)
			maps.Copy(all, extensionsopenapi.GetOpenAPIDefinitions(ref))
			return all
		}, clientscheme.Scheme, extensionsscheme.Scheme)
	c, compared, fields := New(), 0, 0
	for at := range c.known.Resources() {
		published, err := definitions.ResolveSchema(at.Kind)
		if err != nil {
			continue // the definitions are those of the kinds that gatehouse serve has
		}
		compared++
		compareTypes(t, at.Kind.String(), c.typeOf(typeKey{at.Kind, false}), celopenapi.SchemaDeclType(published, true),
			&fields)
	}
	if compared < 55 || fields < 17000 {
		t.Errorf("%d kinds with %d fields were compared", compared, fields)
	}
}

// compareTypes reports the differences that compiled expressions could show.
func compareTypes(t *testing.T, path string, got, want *apicel.DeclType, fields *int) {
	t.Helper()
	*fields++
	if (got == nil) != (want == nil) {
		t.Errorf("%s: the type is %v, want %v", path, got, want)
		return
	}
	if got == nil {
		return
	}
	switch {
	case got.IsList() != want.IsList() || got.IsMap() != want.IsMap() ||
		got.IsObject() != want.IsObject():
		t.Errorf("%s: the type is %s, want %s", path, got.TypeName(), want.TypeName())
	case got.IsList() || got.IsMap():
		compareTypes(t, path+"[]", got.ElemType, want.ElemType, fields)
	case got.IsObject():
		compareFields(t, path, got.Fields, want.Fields, fields)
	case got.TypeName() != want.TypeName():
		t.Errorf("%s: the type is %s, want %s", path, got.TypeName(), want.TypeName())
	}
}

func compareFields(t *testing.T, path string, got, want map[string]*apicel.DeclField, fields *int) {
	t.Helper()
	names := slices.Sorted(maps.Keys(want))
	if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, names) {
		t.Errorf("%s: the fields are %q, want %q", path, have, names)
		return
	}
	for _, name := range names {
		compareTypes(t, path+"."+name, got[name].Type, want[name].Type, fields)
	}
}

// TestEveryKindHasAType: the kinds that have no definition in this module, too.
func TestEveryKindHasAType(t *testing.T) {
	t.Parallel()
	c := New()
	for at := range c.known.Resources() {
		if of := c.typeOf(typeKey{at.Kind, false}); of == nil || len(of.Fields) < 3 {
			t.Errorf("%v has the type %v", at.Kind, of)
		}
	}
	unknown := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "A"}
	if of := c.typeOf(typeKey{kind: unknown}); of != nil {
		t.Errorf("a kind that is not known has the type %v", of)
	}
}
