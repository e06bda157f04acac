package strategy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/offline/strategy"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// boxes is a kind with a schema for v1; v2 has none.
const boxes = `
spec:
  group: example.com
  scope: Namespaced
  names: {plural: boxes, kind: Box}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size, labelSelectorPath: .status.selector}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties:
              colour: {type: string, enum: [red, blue], default: red}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              rule: {type: string, x-kubernetes-validations: [{rule: self != 'no'}]}
              typo: {type: string, x-kubernetes-validations: [{rule: selv != 'no'}]}
  - {name: v2, served: true}
`

// custom returns the strategy of boxes with the change.
func custom(t *testing.T, change ...func(*apiextensionsv1.CustomResourceDefinitionSpec)) *strategy.Custom {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal([]byte(boxes), crd); err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(&crd.Spec)
	}
	c, err := strategy.NewCustom(crd)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// box returns a box; nil for no text.
func box(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	if text == "" {
		return nil
	}
	encoded, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{"apiVersion": "example.com/v1", "kind": "Box", "metadata": map[string]any{"name": "a", "namespace": "shop"}}
	if err := utiljson.Unmarshal(encoded, &object); err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: object}
}

// TestValidate looks at what is not compared with an API server, which would
// not store such objects or serve such a kind.
func TestValidate(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		object, old, want string
	}
	testtable.Run(t, []test{
		{row{"valid", "nothing is wrong"}, "spec: {colour: red}", "", ""},
		{row{"wrong before", "an update may leave it"}, "spec: {colour: green, note: new}", "spec: {colour: green}", ""},
		{row{"otherwise wrong", "an update may not change it to another wrong value"}, "spec: {colour: black}", "spec: {colour: green}",
			`spec.colour: Unsupported value: "black": supported values: "red", "blue"; <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`},
		{row{"duplicates before", "they may become more"}, "spec: {tags: [a, a, b, b]}", "spec: {tags: [a, a]}", ""},
		{row{"broken before", "a rule is ratcheted as well"}, "spec: {rule: 'no', note: new}", "spec: {rule: 'no'}", ""},
		{row{"broken", "a rule in CEL"}, "spec: {rule: 'no'}", "", `spec.rule: Invalid value: "no": failed rule: self != 'no'`},
		{row{"no rule", "one that does not compile is an error of the objects that it is for"}, "spec: {typo: a}", "",
			"spec.typo: Invalid value: \"string\": rule compile error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'selv' (in container '')\n | selv != 'no'\n | ^"},
		{row{"scale", "the subresource could not read it"}, "{spec: {size: many}, status: {size: 3000000000, selector: 7}}", "",
			`.spec.size: Invalid value: 0: .spec.size accessor error: many is of the type string, expected int64; .status.size: Invalid value: 3000000000: should be less than or equal to 2147483647; .status.selector: Invalid value: "": .status.selector accessor error: 7 is of the type int64, expected string`},
		{row{"no schema", "anything is valid"}, "{apiVersion: example.com/v2, spec: 7}", "", ""},
		{row{"no schema, no name", "but for metadata"}, "{apiVersion: example.com/v2, metadata: {namespace: shop}}", "",
			"metadata.name: Required value: name or generateName is required"},
		{row{"unknown version", "a patch may have changed it"}, "{apiVersion: example.com/v9, spec: {colour: black}}", "", ""},
	}, func(t *testing.T, tc test) {
		var texts []string
		for _, err := range custom(t).Validate(t.Context(), box(t, tc.object), box(t, tc.old), "") {
			texts = append(texts, err.Error())
		}
		if got := strings.Join(texts, "; "); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	})
}

func TestRead(t *testing.T) {
	t.Parallel()
	byWebhook := func(s *apiextensionsv1.CustomResourceDefinitionSpec) {
		s.Versions[0].Name, s.Versions[1].Name = "v2", "v1"
		s.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter}
	}
	swapped := func(s *apiextensionsv1.CustomResourceDefinitionSpec) {
		s.Versions[0].Name, s.Versions[1].Name = "v2", "v1"
	}
	preserving := func(s *apiextensionsv1.CustomResourceDefinitionSpec) {
		s.PreserveUnknownFields = true
		s.Versions[0].Schema.OpenAPIV3Schema.Ref = new("#/definitions/a")
	}
	unchanged := func(*apiextensionsv1.CustomResourceDefinitionSpec) {}
	type test struct {
		row
		change       func(*apiextensionsv1.CustomResourceDefinitionSpec)
		noDefaults   bool
		object, want string
	}
	testtable.Run(t, []test{
		{row{"stored version", "it is pruned and defaulted"}, unchanged, false, "{spec: {}, top: 1}", "spec: {colour: red}"},
		{row{"no defaults", "it is pruned only"}, unchanged, true, "{spec: {}, top: 1}", "spec: {}"},
		{row{"other version", "the stored one has the defaults"}, swapped, false, "{spec: {}, top: 1}", "spec: {colour: red}"},
		{row{"webhook", "it is not called, and nothing is lost"}, byWebhook, false, "{spec: {}, top: 1}", "{spec: {}, top: 1}"},
		{row{"preserved", "a definition that was created as v1beta1 keeps all, and need not be structural"}, preserving, false, "{spec: {}, top: 1}", "{spec: {}, top: 1}"},
		{row{"malformed metadata", "what cannot be read is dropped"}, unchanged, true, "metadata: {name: a, namespace: shop, labels: 7}", "{}"},
		{row{"no metadata", "it stays as it is"}, unchanged, true, "metadata: 7", "metadata: 7"},
	}, func(t *testing.T, tc test) {
		got := box(t, tc.object)
		custom(t, tc.change).Read(got, tc.noDefaults)
		if diff := cmp.Diff(box(t, tc.want), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestDecodeRejectsMetadata(t *testing.T) {
	t.Parallel()
	err := custom(t).Decode(t.Context(), box(t, "metadata: {labels: 7}"), "")
	const want = `Box in version "v1" cannot be handled as a Box: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string`
	if got := testtable.Text(err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNewCustomRejects(t *testing.T) {
	t.Parallel()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{
		Name:   "v1",
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Ref: new("#/definitions/a")}},
	}}
	_, err := strategy.NewCustom(crd)
	if got := testtable.Text(err); !strings.HasPrefix(got, "spec.versions[0].schema.openAPIV3Schema: ") {
		t.Errorf("got %q", got)
	}
}

// TestUpdatedMetadata looks at metadata that a server would have completed.
func TestUpdatedMetadata(t *testing.T) {
	t.Parallel()
	now := metav1.Now()
	named := func(name string, change func(*metav1.ObjectMeta)) *metav1.ObjectMeta {
		m := &metav1.ObjectMeta{Name: name, Namespace: "shop"}
		if change != nil {
			change(m)
		}
		return m
	}
	type test struct {
		row
		object, old *metav1.ObjectMeta
		want        string
	}
	testtable.Run(t, []test{
		{row{"incomplete", "files have no resourceVersion"}, named("a", nil), named("a", nil), ""},
		{row{"less complete", "a server fills in what it owns"}, named("a", nil),
			named("a", func(m *metav1.ObjectMeta) { m.UID, m.Generation, m.CreationTimestamp = "u", 7, now }), ""},
		{row{"renamed", "a webhook cannot rename"}, named("b", nil), named("a", nil), `metadata.name: Invalid value: "b": field is immutable`},
		{row{"finalizer", "an object that is deleted gets no more"}, named("a", func(m *metav1.ObjectMeta) { m.Finalizers = []string{"example.com/a"} }),
			named("a", func(m *metav1.ObjectMeta) { m.DeletionTimestamp = &now }),
			"metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\"example.com/a\"}"},
	}, func(t *testing.T, tc test) {
		got := ""
		if err := strategy.Validate(tc.object, tc.old, true).ToAggregate(); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	})
}
