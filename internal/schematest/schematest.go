package schematest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
)

// Read returns a schema in a file. A word of JSON Schema that the validator does not know is
// an error, so that nothing in the schema goes untested.
func Read(t *testing.T, path ...string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	file, err := os.Open(filepath.Join(path...))
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

// Validator returns what holds a document, in JSON, against a schema.
func Validator(t *testing.T, schema *apiextensionsv1.JSONSchemaProps) func(t *testing.T, document []byte) error {
	t.Helper()
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schema, internal, nil); err != nil {
		t.Fatal(err)
	}
	checker, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, document []byte) error {
		t.Helper()
		var value any
		if err := json.Unmarshal(document, &value); err != nil {
			t.Fatal(err)
		}
		return checker.Validate(value).AsError()
	}
}
