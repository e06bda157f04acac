package schemas_test

import (
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/conformance/schemas"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// kind is the kind of all objects here.
var kind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Box"}

// box is a schema with one of everything.
const box = `
type: object
required: [spec]
properties:
  spec:
    type: object
    required: [size]
    properties:
      size: {type: string, pattern: '^[a-z]+$'}
      parts:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items:
          type: object
          required: [name, count]
          properties:
            name: {type: string}
            count: {type: integer, default: 1}
      anything: {type: object, x-kubernetes-preserve-unknown-fields: true}
      labels: {type: object, additionalProperties: {type: string}}
  status:
    type: object
    required: [phase]
    properties: {phase: {type: string}}
`

// boxes defines the kind.
func boxes(t *testing.T, text string, change ...func(*apiextensionsv1.CustomResourceDefinition)) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	s := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.UnmarshalStrict([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Spec.Group, crd.Spec.Names.Kind = kind.Group, kind.Kind
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{
		{Name: "v1alpha1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}}},
		{
			Name: kind.Version, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: s},
			Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
		},
	}
	for _, f := range change {
		f(crd)
	}
	return []*apiextensionsv1.CustomResourceDefinition{{}, crd}
}

// object adds apiVersion, kind and metadata to fields.
func object(t *testing.T, fields string) map[string]any {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte(fields))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	if err := utiljson.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	all["apiVersion"], all["kind"] = kind.GroupVersion().String(), kind.Kind
	all["metadata"] = map[string]any{"name": "a", "labels": map[string]any{"a": "b"}}
	return all
}

type change struct {
	row
	before, after, subresource string
	want                       string
}

func TestWorse(t *testing.T) {
	t.Parallel()
	const good = `{spec: {size: small}}`
	testtable.Run(t, []change{
		{row{"good", "the schema has it"}, good, `{spec: {size: large, labels: {a: b}}}`, "", ""},
		{row{"type", "it would be rejected"}, good, `{spec: {size: 7}}`, "", `spec.size: Invalid value: "integer": spec.size in body must be of type string: "integer"`},
		{row{"value", "it would be rejected, too"}, good, `{spec: {size: LARGE}}`, "", `spec.size: Invalid value: "LARGE": spec.size in body should match '^[a-z]+$'`},
		{row{"missing", "so would what is not there"}, good, `{spec: {}}`, "", `spec.size: Required value`},
		{row{"unknown", "it would be dropped"}, good, `{spec: {size: small, sizes: 7}}`, "", `unknown field "spec.sizes"`},
		{row{"unknown at the root", "so would this"}, good, `{spec: {size: small}, spce: {}}`, "", `unknown field "spce"`},
		{row{"preserved", "that is what the extension says"}, good, `{spec: {size: small, anything: {goes: [1]}}}`, "", ""},
		{row{"default", "it is filled in before validation"}, good, `{spec: {size: small, parts: [{name: lid}]}}`, "", ""},
		{row{"twice", "keys of a list are there once"}, good, `{spec: {size: small, parts: [{name: lid}, {name: lid}]}}`, "", `spec.parts[1]: Duplicate value: {"name":"lid"}`},
		{row{"two things", "both are said"}, good, `{spec: {size: 7, sizes: 7}}`, "", `spec.size: Invalid value: "integer": spec.size in body must be of type string: "integer"; unknown field "spec.sizes"`},

		{row{"wrong before", "it is no fault of the patch"}, `{spec: {size: 7}}`, `{spec: {size: 8}}`, "", ""},
		{row{"unknown before", "neither is this"}, `{spec: {size: small, sizes: 7}}`, `{spec: {size: large, sizes: 7}}`, "", ""},
		{row{"wrong before, elsewhere in the list", "the patch has put something before it"}, `{spec: {size: small, parts: [{count: 1}]}}`, `{spec: {size: small, parts: [{name: lid}, {count: 1}]}}`, "", ""},
		{row{"nothing before", "what is added is better than nothing"}, `{}`, `{spec: {parts: []}}`, "", ""},
		{row{"mended", "it has become better"}, `{spec: {}}`, good, "", ""},
		{row{"similar name", "another field was wrong before"}, `{spec: {size: small, siz: 7}}`, `{spec: {size: 7}}`, "", `spec.size: Invalid value: "integer": spec.size in body must be of type string: "integer"`},

		{row{"empty status", "the request for the object cannot change it: it is dropped"}, good, `{spec: {size: small}, status: {}}`, "", ""},
		{row{"status", "the request for the status can"}, `{spec: {size: small}, status: {phase: Ready}}`, `{spec: {size: small}, status: {phase: 7}}`, "status", `status.phase: Invalid value: "integer": status.phase in body must be of type string: "integer"`},
		{row{"unknown in status", "it is dropped in the same way"}, `{spec: {size: small}, status: {phase: Ready}}`, `{spec: {size: small}, status: {phase: Ready, note: a}}`, "status", `unknown field "status.note"`},
		{row{"spec with the status", "the request for the status cannot change that"}, `{spec: {size: small}, status: {phase: Ready}}`, `{spec: {size: 7}, status: {phase: Ready}}`, "status", ""},
	}, func(t *testing.T, tc change) {
		before, after := object(t, tc.before), object(t, tc.after)
		written := text(t, before) + text(t, after)
		err := schemas.New(boxes(t, box)).NewProblems(kind, before, after, tc.subresource)
		if got := testtable.Text(err); got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.Why(), got, tc.want)
		}
		if text(t, before)+text(t, after) != written {
			t.Error("an object has been changed")
		}
	})
}

func text(t *testing.T, object map[string]any) string {
	t.Helper()
	written, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

// TestAnythingGoes where there is no schema to hold an object to. With it, the
// change would be for the worse.
func TestAnythingGoes(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		schema string
		change func(*apiextensionsv1.CustomResourceDefinition)
		worse  bool
	}
	testtable.Run(t, []test{
		{row{"as it is", "the field is unknown"}, box, func(*apiextensionsv1.CustomResourceDefinition) {}, true},
		{row{"other group", "it is another kind"}, box, func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Group = "example.org" }, false},
		{row{"other kind", "the name counts as well"}, box, func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Names.Kind = "Crate" }, false},
		{row{"other version", "versions have schemas of their own"}, box, func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions[1].Name = "v2" }, false},
		{row{"no schema", "nothing is said"}, box, func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions[1].Schema = nil }, false},
		{row{"empty schema", "nothing is said either"}, box, func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions[1].Schema.OpenAPIV3Schema = nil }, false},
		{row{"preserved", "older kinds keep what they do not know"}, box, func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.PreserveUnknownFields = true }, false},
		{row{"broken", "no server would have it"}, `{type: object, $ref: '#/definitions/a'}`, func(*apiextensionsv1.CustomResourceDefinition) {}, false},
	}, func(t *testing.T, tc test) {
		set := schemas.New(boxes(t, tc.schema, tc.change))
		for range 2 { // the second time it is known
			err := set.NewProblems(kind, object(t, `{spec: {size: small}}`), object(t, `{spec: {size: small, sizes: 7}}`), "")
			if (err != nil) != tc.worse {
				t.Errorf("%s: got %v", tc.Why(), err)
			}
		}
	})
}
