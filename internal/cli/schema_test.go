package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/explain"
)

const explanationSchema = "../../docs/schemas/explanation.v1alpha1.json"

// readSchema returns the schema of explanations, with what is defined once put wherever
// it is meant, since the validator follows no references. A word of JSON Schema that the
// validator does not know is an error, so that nothing in the schema goes untested.
func readSchema() (*apiextensionsv1.JSONSchemaProps, error) {
	text, err := os.ReadFile(explanationSchema)
	if err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	definitions, _ := root["definitions"].(map[string]any)
	delete(root, "definitions")
	if text, err = json.Marshal(resolved(root, definitions)); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	schema := &apiextensionsv1.JSONSchemaProps{}
	return schema, decoder.Decode(schema)
}

// resolved replaces references. What is written beside one counts more.
func resolved(value any, definitions map[string]any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = resolved(v[i], definitions)
		}
	case map[string]any:
		whole := map[string]any{}
		if name, ok := v["$ref"].(string); ok {
			definition, _ := definitions[path.Base(name)].(map[string]any)
			maps.Copy(whole, definition)
		}
		maps.Copy(whole, v)
		delete(whole, "$ref")
		for key := range whole {
			whole[key] = resolved(whole[key], definitions)
		}
		return whole
	}
	return value
}

// valid holds a file with an explanation against the schema.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: valid FILE")
	}
	schema, err := readSchema()
	ts.Check(err)
	internal := &apiextensions.JSONSchemaProps{}
	ts.Check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schema, internal, nil))
	checker, _, err := validation.NewSchemaValidator(internal)
	ts.Check(err)
	var document any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &document))
	ts.Check(checker.Validate(document).AsError())
}

// property is what Go types and the schema have to agree on.
type property struct {
	Type     string
	Required bool
}

// TestSchemaHasTheSameFields compares the schema with the Go types, field by field.
func TestSchemaHasTheSameFields(t *testing.T) {
	t.Parallel()
	want, got := map[string]property{}, map[string]property{}
	collectFields(t, reflect.TypeFor[explain.Document](), "", want)
	// Every document says what it is, although TypeMeta would not insist.
	want["apiVersion"], want["kind"] = property{"string", true}, property{"string", true}
	schema, err := readSchema()
	if err != nil {
		t.Fatal(err)
	}
	collectProperties(t, schema, "", got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Go type +schema):\n%s", diff)
	}
}

// TestSchemaHasTheSameValues compares closed sets of texts with the vocabulary.
func TestSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	schema, err := readSchema()
	if err != nil {
		t.Fatal(err)
	}
	item := schema.Properties["items"].Items.Schema
	webhook := item.Properties["rounds"].Items.Schema.Properties["webhooks"].Items.Schema
	writer := item.Properties["fields"].Items.Schema.Properties["writer"]
	for name, set := range map[string]struct {
		got  []apiextensionsv1.JSON
		want []string
	}{
		"stage":      {webhook.Properties["stage"].Enum, named(admission.StageExempt, admission.StagePassed)},
		"ruleMisses": {webhook.Properties["match"].Properties["ruleMisses"].Items.Schema.Enum, named(admission.RuleMatched, admission.RuleResources)},
		"outcome":    {webhook.Properties["call"].Properties["outcome"].Enum, named(admission.Allowed, admission.Panicked)},
		"writer": {writer.Properties["by"].Enum, []string{
			explain.ByStored, explain.ByUser, explain.ByWebhook, explain.ByDefaulting, explain.ByConversion, explain.ByServer,
		}},
	} {
		var got []string
		for _, value := range set.got {
			got = append(got, strings.Trim(string(value.Raw), `"`))
		}
		slices.Sort(got)
		slices.Sort(set.want)
		if diff := cmp.Diff(set.want, got); diff != "" {
			t.Errorf("%s (-want +schema):\n%s", name, diff)
		}
	}
}

// named returns the names of all values of a closed set, from the first to the last.
func named[T interface {
	~uint8
	String() string
}](first, last T) []string {
	var names []string
	for value := first; value <= last; value++ {
		names = append(names, value.String())
	}
	return names
}

func collectFields(t *testing.T, of reflect.Type, prefix string, into map[string]property) {
	t.Helper()
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			if name = field.Name; field.Anonymous {
				collectFields(t, field.Type, prefix, into)
				continue
			}
		}
		// A struct that is no pointer is never left out.
		required := !strings.Contains(options, "omitempty") || field.Type.Kind() == reflect.Struct
		into[prefix+name] = property{typeOf(t, field.Type, prefix+name, into), required}
	}
}

// typeOf returns the JSON type of a Go type, and collects what is in it.
func typeOf(t *testing.T, of reflect.Type, at string, into map[string]property) string {
	t.Helper()
	if of == reflect.TypeFor[json.RawMessage]() {
		return ""
	}
	switch of.Kind() {
	case reflect.Pointer:
		return typeOf(t, of.Elem(), at, into)
	case reflect.Struct:
		collectFields(t, of, at+".", into)
		return "object"
	case reflect.Map:
		return "object of " + typeOf(t, of.Elem(), at, into)
	case reflect.Slice:
		return "array of " + typeOf(t, of.Elem(), at, into)
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	}
	t.Fatalf("%s is a %s, of which this test knows nothing", at, of)
	return ""
}

func collectProperties(t *testing.T, schema *apiextensionsv1.JSONSchemaProps, prefix string, into map[string]property) {
	t.Helper()
	if schema.AdditionalProperties == nil || schema.AdditionalProperties.Allows {
		t.Errorf("%q takes fields that it does not have", prefix)
	}
	for name, p := range schema.Properties {
		if p.Description == "" {
			t.Errorf("%s has no description", prefix+name)
		}
		into[prefix+name] = property{shapeOf(t, &p, prefix+name, into), slices.Contains(schema.Required, name)}
	}
	for _, name := range schema.Required {
		if _, ok := schema.Properties[name]; !ok {
			t.Errorf("%s is required, but not there", prefix+name)
		}
	}
}

// shapeOf is typeOf for a schema.
func shapeOf(t *testing.T, schema *apiextensionsv1.JSONSchemaProps, at string, into map[string]property) string {
	t.Helper()
	switch {
	case schema.Items != nil:
		return "array of " + shapeOf(t, schema.Items.Schema, at, into)
	case schema.Properties != nil:
		collectProperties(t, schema, at+".", into)
	case schema.AdditionalProperties != nil:
		return "object of " + shapeOf(t, schema.AdditionalProperties.Schema, at, into)
	}
	return schema.Type
}
