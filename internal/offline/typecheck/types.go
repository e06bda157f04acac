package typecheck

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apicel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/openapi"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// typeKey is the key of a type.
type typeKey struct {
	kind   schema.GroupVersionKind
	params bool
}

// typeOf returns the type of a kind, as an object or as params; nil if it is not
// known.
//
// Compat: the two are different types, and not comparable, even if they are the same
// kind.
func (c *Checker) typeOf(key typeKey) *apicel.DeclType {
	of, known := c.types[key]
	if known {
		return of
	}
	if s := c.schemaOf(key.kind); s != nil {
		of = openapi.SchemaDeclType(s, true)
	}
	if of != nil {
		name := strings.TrimPrefix(key.kind.Group+"."+key.kind.Version+"."+key.kind.Kind, ".")
		if key.params {
			name = "params." + name
		}
		of = of.MaybeAssignTypeName(name)
	}
	c.types[key] = of
	return of
}

// schemaOf returns the schema of a kind; nil if it is not known.
func (c *Checker) schemaOf(kind schema.GroupVersionKind) *spec.Schema {
	object, err := c.known.ObjectInterfaces().GetObjectCreater().New(kind)
	if err != nil {
		return nil
	}
	if _, custom := object.(*unstructured.Unstructured); !custom {
		return goSchema(reflect.TypeOf(object), nil)
	}
	versions := c.definitions[kind.GroupKind()].Spec.Versions
	for i := range versions {
		if versions[i].Name == kind.Version && versions[i].Served {
			return customSchema(versions[i].Schema)
		}
	}
	return nil
}

// jsonName returns the name of a field in JSON; false if it has none. The name is
// empty for an embedded struct whose fields are those of the outer one.
func jsonName(f reflect.StructField) (name string, ok bool) {
	name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	return name, f.IsExported() && name != "-" && (name != "" || f.Anonymous)
}

// selfDescribed is a Go type that has a schema of its own.
type selfDescribed interface {
	OpenAPISchemaType() []string
	OpenAPISchemaFormat() string
}

// goSchema returns the schema that openapi-gen makes of a Go type, as far as types
// go. A struct within itself is an object without fields; within are the structs
// around the type.
func goSchema(t reflect.Type, within []reflect.Type) *spec.Schema {
	if t.Kind() == reflect.Pointer {
		return goSchema(t.Elem(), within)
	}
	if s, ok := reflect.Zero(t).Interface().(selfDescribed); ok {
		described := &spec.Schema{}
		described.Format = s.OpenAPISchemaFormat()
		// Compat: a type that is one of several, such as a quantity, has none, and
		// the field cannot be used.
		if _, several := s.(interface{ OpenAPIV3OneOfTypes() []string }); !several {
			described.Type = s.OpenAPISchemaType()
		}
		return described
	}
	switch t.Kind() {
	case reflect.Struct:
		return structSchema(t, within)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return spec.StrFmtProperty("byte")
		}
		return spec.ArrayProperty(goSchema(t.Elem(), within))
	case reflect.Map:
		return spec.MapProperty(goSchema(t.Elem(), within))
	case reflect.String:
		return spec.StringProperty()
	case reflect.Bool:
		return spec.BoolProperty()
	case reflect.Float32, reflect.Float64:
		return spec.Float64Property()
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint32, reflect.Uint64:
		return spec.Int64Property()
	default:
		return &spec.Schema{} // API types have no others
	}
}
