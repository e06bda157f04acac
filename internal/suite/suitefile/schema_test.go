package suitefile_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/schematest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// readSchema returns the schema of the format.
func readSchema(t *testing.T) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	return schematest.Read(t, "../../../docs/schemas/admissiontest.v1alpha1.json")
}

// TestSchemaTakesWhatIsMeant validates all that Read can read and that is not
// written loosely.
func TestSchemaTakesWhatIsMeant(t *testing.T) {
	t.Parallel()
	validate := schematest.Validator(t, readSchema(t))
	testtable.Run(t, readCases(), func(t *testing.T, tc readCase) {
		if err := validate(t, only(t, tc.input).JSON); err != nil {
			t.Error(err)
		}
	})
}

// TestSchemaRefusesWhatItCan validates all that Read refuses. What the schema
// does not refuse is said in the row, so that no rule of it is lost unnoticed.
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

// TestSchemaHasTheSameFields compares the schema with the Go types, field by
// field.
func TestSchemaHasTheSameFields(t *testing.T) {
	t.Parallel()
	want := schematest.GoFields(t, reflect.TypeFor[suitefile.AdmissionTest]())
	got := schematest.SchemaFields(t, readSchema(t), want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Go type +schema):\n%s", diff)
	}
}

// TestSchemaHasTheSameRequest compares what the schema says of requests.
func TestSchemaHasTheSameRequest(t *testing.T) {
	t.Parallel()
	want := schematest.GoFields(t, reflect.TypeFor[requestfile.AdmissionRequest]())
	forms := readSchema(t).Properties["cases"].Items.Schema.Properties["request"].AnyOf
	got := schematest.SchemaFields(t, &forms[1], want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Go type +schema):\n%s", diff)
	}
}

// TestSchemaHasTheSameValues compares the closed sets of texts.
func TestSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	root := readSchema(t).Properties
	expected := root["cases"].Items.Schema.Properties["expect"].Properties
	webhook, policy := expected["webhooks"].Items.Schema.Properties, expected["policies"].Items.Schema.Properties
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
		{"outcome", webhook["outcome"], outcomes},
		{"outcome of a policy", policy["outcome"], suitefile.PolicyOutcomes()},
	} {
		if diff := cmp.Diff(set.want, schematest.Enum(t, set.of.Enum)); diff != "" {
			t.Errorf("%s (-want +schema):\n%s", set.field, diff)
		}
	}
}
