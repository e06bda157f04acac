package schematest

import (
	"encoding/json"
	"os"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
)

// Read returns a schema in a file. A word of JSON Schema that the validator
// does not know is an error, so that nothing in the schema goes untested.
func Read(t *testing.T, path string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	schema := &apiextensionsv1.JSONSchemaProps{}
	if err := decoder.Decode(schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// Validator returns what holds a document against a schema. A document that is
// not JSON is no refusal but a failure of the test.
func Validator(
	t *testing.T, schema *apiextensionsv1.JSONSchemaProps,
) func(t *testing.T, document []byte) error {
	t.Helper()
	validate, err := Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, document []byte) error {
		t.Helper()
		if !json.Valid(document) {
			t.Fatalf("%q is not JSON", document)
		}
		return validate(document)
	}
}

// Compile is Validator for callers without a testing.TB. The function that it
// returns also fails for a document that is not JSON.
func Compile(schema *apiextensionsv1.JSONSchemaProps) (func(document []byte) error, error) {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schema,
		internal, nil); err != nil {
		return nil, err
	}
	checker, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		return nil, err
	}
	return func(document []byte) error {
		var value any
		if err := json.Unmarshal(document, &value); err != nil {
			return err
		}
		return checker.Validate(value).AsError()
	}, nil
}
