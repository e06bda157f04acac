package requestfile_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/requestfile"
	"example.com/gatehouse/internal/schematest"
	"example.com/gatehouse/internal/testtable"
)

// readSchema returns the schema of the format.
func readSchema(t *testing.T) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	return schematest.Read(t, "../../docs/schemas/admissionrequest.v1alpha1.json")
}

// TestSchemaTakesWhatIsMeant validates all that Read can read and that is not
// written loosely.
func TestSchemaTakesWhatIsMeant(t *testing.T) {
	t.Parallel()
	rows := readCases()
	for _, example := range pageExamples(t) {
		if strings.Contains(example, "AdmissionRequest") {
			rows = append(rows, readCase{row: row{"page: " + example, "users copy it"}, input: example})
		}
	}
	validate := schematest.Validator(t, readSchema(t))
	testtable.Run(t, rows, func(t *testing.T, tc readCase) {
		if err := validate(t, only(t, tc.input).JSON); err != nil {
			t.Error(err)
		}
	})
}

// TestSchemaRefusesWhatItCan validates all that Read refuses. What the schema does
// not refuse is said in the row, so that no rule of it is lost unnoticed.
func TestSchemaRefusesWhatItCan(t *testing.T) {
	t.Parallel()
	rows := slices.Concat(documentRefusals(), operationRefusals(), objectRefusals(), patchRefusals(), schemaRefusals())
	validate := schematest.Validator(t, readSchema(t))
	testtable.Run(t, rows, func(t *testing.T, tc refusal) {
		err := validate(t, only(t, tc.input).JSON)
		if (err != nil) != tc.caught {
			t.Errorf("got %v, want an error: %t", err, tc.caught)
		}
	})
}

// schemaRefusals are what package request refuses, and the schema knows before it.
func schemaRefusals() []refusal {
	write := head + pod
	remove := head + stored + "operation: DELETE\n"
	connect := head + "object: {apiVersion: v1, kind: PodExecOptions}\noperation: CONNECT\n"
	return []refusal{
		{row: row{"grace period of create", "it has none"}, input: write + "options: {gracePeriodSeconds: 1}\n", caught: true},
		{row: row{"propagation of update", "it has none"}, input: write + stored + "options: {propagationPolicy: Orphan}\n", caught: true},
		{row: row{"manager of delete", "it has none"}, input: remove + "options: {fieldManager: me}\n", caught: true},
		{row: row{"manager of connect", "it has none"}, input: connect + "options: {fieldManager: me}\n", caught: true},
		{row: row{"dry run of connect", "S-364: it has none"}, input: connect + "dryRun: true\n", caught: true},
		{row: row{"no dry run of connect", "that goes without saying, and may be said"}, input: connect + "dryRun: false\noptions: {}\n"},
		{row: row{"collection by name", "false is what it is anyway"}, input: remove + "collection: false\nname: web\n"},
		{row: row{"nobody", "S-214: a user has a name"}, input: write + "userInfo: {groups: [a]}\n", caught: true},
		{row: row{"field validation", "a server knows three"}, input: write + "options: {fieldValidation: Maybe}\n", caught: true},
		{row: row{"propagation", "a server knows three"}, input: remove + "options: {propagationPolicy: Later}\n", caught: true},
	}
}

// requestFields returns the path and the JSON type of every field of the format.
func requestFields(t *testing.T) map[string]string {
	t.Helper()
	fields := map[string]string{}
	collectFields(t, reflect.TypeFor[requestfile.AdmissionRequest](), "", fields)
	return fields
}

func collectFields(t *testing.T, of reflect.Type, prefix string, into map[string]string) {
	t.Helper()
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case field.Anonymous:
			collectFields(t, field.Type, prefix, into)
		default:
			collectField(t, field.Type, prefix+name, into)
		}
	}
}

func collectField(t *testing.T, of reflect.Type, path string, into map[string]string) {
	t.Helper()
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of == reflect.TypeFor[json.RawMessage]():
		into[path] = "anything"
	case of.Kind() == reflect.Struct:
		into[path] = "object"
		collectFields(t, of, path+".", into)
	case of.Kind() == reflect.Map:
		into[path] = "object"
	case of.Kind() == reflect.Slice:
		into[path] = "array"
	case of.Kind() == reflect.Bool:
		into[path] = "boolean"
	case of.Kind() == reflect.Int64:
		into[path] = "integer"
	case of.Kind() == reflect.String:
		into[path] = "string"
	default:
		t.Fatalf("%s is a %s, of which this test knows nothing", path, of)
	}
}

// TestSchemaHasTheSameFields compares the schema with the Go type, field by field.
func TestSchemaHasTheSameFields(t *testing.T) {
	t.Parallel()
	want := requestFields(t)
	got := map[string]string{}
	collectProperties(t, readSchema(t), "", want, got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Go type +schema):\n%s", diff)
	}
}

func collectProperties(t *testing.T, schema *apiextensionsv1.JSONSchemaProps, prefix string, want, into map[string]string) {
	t.Helper()
	closed := schema.AdditionalProperties != nil && !schema.AdditionalProperties.Allows
	if !closed {
		t.Errorf("%q takes fields that it does not have", prefix)
	}
	for name, property := range schema.Properties {
		path := prefix + name
		into[path] = property.Type
		if property.Description == "" {
			t.Errorf("%s has no description", path)
		}
		switch {
		case want[path] == "anything":
			// Objects are not of the format, and come with fields of their own.
			into[path] = "anything"
		case len(property.Properties) > 0:
			collectProperties(t, &property, path+".", want, into)
		}
	}
}

// TestSchemaHasTheSameValues compares the closed sets of texts.
func TestSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	root := readSchema(t).Properties
	options := root["options"].Properties
	for _, set := range []struct {
		field string
		of    apiextensionsv1.JSONSchemaProps
		want  []string
	}{
		{"apiVersion", root["apiVersion"], []string{"gatehouse/v1alpha1"}},
		{"kind", root["kind"], []string{reflect.TypeFor[requestfile.AdmissionRequest]().Name()}},
		{"operation", root["operation"], texts(admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect)},
		{"patch.type", root["patch"].Properties["type"],
			texts(requestfile.JSON, requestfile.Merge, requestfile.Strategic, requestfile.Apply)},
		{"fieldValidation", options["fieldValidation"],
			[]string{metav1.FieldValidationIgnore, metav1.FieldValidationWarn, metav1.FieldValidationStrict}},
		{"propagationPolicy", options["propagationPolicy"],
			texts(metav1.DeletePropagationForeground, metav1.DeletePropagationBackground, metav1.DeletePropagationOrphan)},
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

func texts[T ~string](values ...T) []string {
	all := make([]string, 0, len(values))
	for _, value := range values {
		all = append(all, string(value))
	}
	return all
}
