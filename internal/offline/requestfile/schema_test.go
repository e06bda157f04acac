package requestfile_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/schematest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// readSchema returns the schema of the format.
func readSchema(t *testing.T) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	return schematest.Read(t, "../../../docs/schemas/admissionrequest.v1alpha1.json")
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

// TestSchemaRejectsWhatItCan validates all that Read rejects. What the schema
// does not reject is said in the row, so that no rule of it is lost unnoticed.
func TestSchemaRejectsWhatItCan(t *testing.T) {
	t.Parallel()
	rows := slices.Concat(documentRejections(), operationRejections(), objectRejections(), patchRejections(), schemaRejections())
	validate := schematest.Validator(t, readSchema(t))
	testtable.Run(t, rows, func(t *testing.T, tc rejection) {
		err := validate(t, only(t, tc.input).JSON)
		if (err != nil) != tc.caught {
			t.Errorf("got %v, want an error: %t", err, tc.caught)
		}
	})
}

// schemaRejections are what package request rejects, and the schema knows before
// it.
func schemaRejections() []rejection {
	write := head + pod
	remove := head + stored + "operation: DELETE\n"
	connect := head + "object: {apiVersion: v1, kind: PodExecOptions}\noperation: CONNECT\n"
	return []rejection{
		{row: row{"grace period of create", "it has none"}, input: write + "options: {gracePeriodSeconds: 1}\n", caught: true},
		{row: row{"propagation of update", "it has none"}, input: write + stored + "options: {propagationPolicy: Orphan}\n", caught: true},
		{row: row{"manager of delete", "it has none"}, input: remove + "options: {fieldManager: me}\n", caught: true},
		{row: row{"manager of connect", "it has none"}, input: connect + "options: {fieldManager: me}\n", caught: true},
		{row: row{"dry run of connect", "S-364: it has none"}, input: connect + "dryRun: true\n", caught: true},
		{row: row{"no dry run of connect", "that goes without saying, and may be said"}, input: connect + "dryRun: false\noptions: {}\n"},
		{row: row{"collection by name", "false is what it is anyway"}, input: remove + "collection: false\nname: web\n"},
		{row: row{"no user name", "S-214: a user has a name"}, input: write + "userInfo: {groups: [a]}\n", caught: true},
		{row: row{"field validation", "a server knows three"}, input: write + "options: {fieldValidation: Maybe}\n", caught: true},
		{row: row{"propagation", "a server knows three"}, input: remove + "options: {propagationPolicy: Later}\n", caught: true},
	}
}

// TestSchemaHasTheSameFields compares the schema with the Go type, field by
// field.
func TestSchemaHasTheSameFields(t *testing.T) {
	t.Parallel()
	want := schematest.GoFields(t, reflect.TypeFor[requestfile.AdmissionRequest]())
	got := schematest.SchemaFields(t, readSchema(t), want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Go type +schema):\n%s", diff)
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
		if diff := cmp.Diff(set.want, schematest.Enum(t, set.of.Enum)); diff != "" {
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
