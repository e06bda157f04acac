package schematest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Fields are the JSON types of the fields of a format, by path, such as
// "cases[].name". The type of a field without a schema is "anything".
type Fields map[string]string

// GoFields returns the fields of a struct. Those of maps are the values' own,
// and are left out.
func GoFields(t *testing.T, goType reflect.Type) Fields {
	t.Helper()
	f := Fields{}
	f.of(t, goType, "")
	return f
}

// of collects the fields of a Go type.
func (f Fields) of(t *testing.T, goType reflect.Type, prefix string) {
	t.Helper()
	for i := range goType.NumField() {
		field := goType.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case field.Anonymous:
			f.of(t, field.Type, prefix)
		default:
			f.at(t, field.Type, prefix+name)
		}
	}
}

// at collects a field, and what is in it.
func (f Fields) at(t *testing.T, goType reflect.Type, path string) {
	t.Helper()
	if goType.Kind() == reflect.Pointer {
		goType = goType.Elem()
	}
	if goType == reflect.TypeFor[json.RawMessage]() {
		f[path] = "anything"
		return
	}
	switch goType.Kind() {
	case reflect.Struct:
		f[path] = "object"
		f.of(t, goType, path+".")
	case reflect.Map:
		f[path] = "object"
	case reflect.Slice:
		f[path] = "array"
		if item := goType.Elem(); item.Kind() == reflect.Struct {
			f.of(t, item, path+"[].")
		}
	case reflect.Bool:
		f[path] = "boolean"
	case reflect.Int32, reflect.Int64:
		f[path] = "integer"
	case reflect.String:
		f[path] = "string"
	default:
		t.Fatalf("%s is a %s, of which this test knows nothing", path, goType)
	}
}

// SchemaFields returns the fields of a schema, for a comparison with those of
// the Go type of its documents. A field that is "anything" in goFields is
// "anything" in the result, whatever its schema is. The test fails if an object
// permits other fields, or if a field has no description.
func SchemaFields(t *testing.T, schema *apiextensionsv1.JSONSchemaProps, goFields Fields) Fields {
	t.Helper()
	f := Fields{}
	f.in(t, schema, "", goFields)
	return f
}

// in collects the fields of a schema. It skips objects of other formats, which
// may have fields of their own.
func (f Fields) in(
	t *testing.T, schema *apiextensionsv1.JSONSchemaProps, prefix string, want Fields,
) {
	t.Helper()
	closed := schema.AdditionalProperties != nil && !schema.AdditionalProperties.Allows
	if !closed {
		t.Errorf("%q takes fields that it does not have", prefix)
	}
	for name, property := range schema.Properties {
		path := prefix + name
		f[path] = property.Type
		if property.Description == "" {
			t.Errorf("%s has no description", path)
		}
		switch {
		case want[path] == "anything":
			f[path] = "anything"
		case len(property.Properties) > 0:
			f.in(t, &property, path+".", want)
		// The operations of JSON patches are kept as they are written, so Go
		// knows no fields.
		case property.Items != nil && len(property.Items.Schema.Properties) > 0 && !strings.HasSuffix(path, "patch"):
			f.in(t, property.Items.Schema, path+"[].", want)
		}
	}
}

// Enum returns a closed set of texts, in the order of the schema.
func Enum(t *testing.T, values []apiextensionsv1.JSON) []string {
	t.Helper()
	var texts []string
	for _, value := range values {
		var text string
		if err := json.Unmarshal(value.Raw, &text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}
