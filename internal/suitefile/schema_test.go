package suitefile_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/requestfile"
	"example.com/gatehouse/internal/schematest"
	"example.com/gatehouse/internal/suitefile"
	"example.com/gatehouse/internal/testtable"
)

// readSchema returns the schema of the format.
func readSchema(t *testing.T) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	return schematest.Read(t, "../../docs/schemas/admissiontest.v1alpha1.json")
}

// TestSchemaTakesWhatIsMeant validates all that Read can read and that is not written
// loosely.
func TestSchemaTakesWhatIsMeant(t *testing.T) {
	t.Parallel()
	validate := schematest.Validator(t, readSchema(t))
	testtable.Run(t, readCases(), func(t *testing.T, tc readCase) {
		if err := validate(t, only(t, tc.input).JSON); err != nil {
			t.Error(err)
		}
	})
}

// TestSchemaRefusesWhatItCan validates all that Read refuses. What the schema does not
// refuse is said in the row, so that no rule of it is lost unnoticed.
func TestSchemaRefusesWhatItCan(t *testing.T) {
	t.Parallel()
	validate := schematest.Validator(t, readSchema(t))
	testtable.Run(t, refusals(), func(t *testing.T, tc refusal) {
		err := validate(t, only(t, tc.input).JSON)
		if (err != nil) != tc.caught {
			t.Errorf("got %v, want an error: %t", err, tc.caught)
		}
	})
}

// fields are the paths and the JSON types of the fields of a format.
type fields map[string]string

// of collects the fields of a Go type.
func (f fields) of(t *testing.T, goType reflect.Type, prefix string) {
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
func (f fields) at(t *testing.T, goType reflect.Type, path string) {
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

// TestSchemaHasTheSameFields compares the schema with the Go types, field by field.
func TestSchemaHasTheSameFields(t *testing.T) {
	t.Parallel()
	want, got := fields{}, fields{}
	want.of(t, reflect.TypeFor[suitefile.AdmissionTest](), "")
	root := readSchema(t)
	got.in(t, root, "", want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Go type +schema):\n%s", diff)
	}
}

// TestSchemaHasTheSameRequest compares what the schema says of requests.
func TestSchemaHasTheSameRequest(t *testing.T) {
	t.Parallel()
	want, got := fields{}, fields{}
	want.of(t, reflect.TypeFor[requestfile.AdmissionRequest](), "")
	forms := readSchema(t).Properties["cases"].Items.Schema.Properties["request"].AnyOf
	got.in(t, &forms[1], "", want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Go type +schema):\n%s", diff)
	}
}

// in collects the fields of a schema. Those of objects that are not of the format, and may
// come with fields of their own, are left out.
func (f fields) in(t *testing.T, schema *apiextensionsv1.JSONSchemaProps, prefix string, want fields) {
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
		case property.Items != nil && len(property.Items.Schema.Properties) > 0 && !strings.HasSuffix(path, "patch"):
			f.in(t, property.Items.Schema, path+"[].", want)
		}
	}
}

// TestSchemaHasTheSameValues compares the closed sets of texts.
func TestSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	root := readSchema(t).Properties
	expected := root["cases"].Items.Schema.Properties["expect"].Properties["webhooks"].Items.Schema.Properties
	var outcomes []string
	for o := admission.Allowed; o.String() != "unknown"; o++ {
		outcomes = append(outcomes, o.String())
	}
	for _, set := range []struct {
		field string
		of    apiextensionsv1.JSONSchemaProps
		want  []string
	}{
		{"apiVersion", root["apiVersion"], []string{"gatehouse/v1alpha1"}},
		{"kind", root["kind"], []string{reflect.TypeFor[suitefile.AdmissionTest]().Name()}},
		{"authorizer", root["authorizer"], []string{"allow", "deny"}},
		{"outcome", expected["outcome"], outcomes},
	} {
		var got []string
		for _, value := range set.of.Enum {
			var text string
			if err := json.Unmarshal(value.Raw, &text); err != nil {
				t.Fatal(err)
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(set.want, got); diff != "" {
			t.Errorf("%s (-want +schema):\n%s", set.field, diff)
		}
	}
}
