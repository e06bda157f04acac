package custom

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

type objectCase struct {
	row
	// schema is that of the field, which is required.
	schema string
	// want is the value of the field, in JSON.
	want string
}

func TestValues(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []objectCase{
		{row{"string", "any will do"}, `{type: string}`, `"sample"`},
		{row{"default", "servers fill it in"}, `{type: string, default: blue}`, `"blue"`},
		{row{"default before enum", "it is the author's choice"}, `{type: string, enum: [red, blue], default: blue}`, `"blue"`},
		{row{"enum", "the first one"}, `{type: string, enum: [red, blue]}`, `"red"`},
		{row{"null in enum", "it stands for nothing"}, `{type: string, nullable: true, enum: [red, null]}`, `"red"`},
		{row{"example", "it is the author's choice, too"}, `{type: string, example: green}`, `"green"`},
		{row{"wrong example", "examples are not validated"}, `{type: string, maxLength: 3, example: green}`, `"sam"`},
		{row{"short", "words are cut"}, `{type: string, maxLength: 3}`, `"sam"`},
		{row{"shorter than short", "the empty string is one"}, `{type: string, maxLength: 0}`, `""`},
		{row{"long", "words are filled up"}, `{type: string, minLength: 9}`, `"samplexxx"`},
		{row{"known pattern", "something readable matches often"}, `{type: string, pattern: '^[a-z.]+$'}`, `"sample"`},
		{row{"url", "so does this"}, `{type: string, pattern: '^https://.*'}`, `"https://example.com/sample"`},
		{row{"duration", "as in many operators"}, `{type: string, pattern: '^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$'}`, `"1s"`},
		{row{"quantity", "as controller-gen writes it"}, `{type: string, pattern: '^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$'}`, `"1"`},
		{row{"arn", "a pattern with literals"}, `{type: string, pattern: '^arn:aws:iam::[0-9]{12}:role/[A-Za-z]+$'}`, `"arn:aws:iam::000000000000:role/a"`},
		{row{"alternatives", "the first one is too short"}, `{type: string, pattern: '^(Q|Q-[A-Z]+)$', minLength: 5}`, `"Q-AAA"`},
		{row{"pattern and length", "repeated until it is long enough"}, `{type: string, pattern: '^#[0-9a-f]+$', minLength: 7, maxLength: 7}`, `"#aaaaaa"`},
		{row{"strange runes", "no letter is among them"}, `{type: string, pattern: '^[^a-zA-Z0-9]$'}`, `" "`},
		{row{"date", "a format"}, `{type: string, format: date-time}`, `"2025-01-01T00:00:01Z"`},
		{row{"format and pattern", "the example does not match"}, `{type: string, format: uuid, pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$'}`, `"1b4e28ba-2fa1-4d3b-a3f5-ef19b5a76331"`},
		{row{"unknown format", "servers ignore it"}, `{type: string, format: colour}`, `"sample"`},

		{row{"integer", "one of something"}, `{type: integer}`, `1`},
		{row{"minimum", "as few as there may be"}, `{type: integer, minimum: 1024}`, `1024`},
		{row{"exclusive minimum", "not the limit itself"}, `{type: integer, minimum: 5, exclusiveMinimum: true}`, `6`},
		{row{"maximum", "below one"}, `{type: integer, maximum: -3}`, `-3`},
		{row{"exclusive maximum", "not the limit itself"}, `{type: integer, maximum: 1, exclusiveMaximum: true}`, `0`},
		{row{"multiple", "rounded up"}, `{type: integer, minimum: 1, multipleOf: 1000}`, `1000`},
		{row{"fraction", "between two limits"}, `{type: number, minimum: 0.25, maximum: 0.75, exclusiveMinimum: true, exclusiveMaximum: true}`, `0.5`},
		{row{"boolean", "the zero value"}, `{type: boolean}`, `false`},
		{row{"int or string", "a number"}, `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, `1`},
		{row{"int or string by pattern", "then it is meant to be a string"}, `{x-kubernetes-int-or-string: true, pattern: '^[0-9]+%$'}`, `"0%"`},

		{row{"array", "one is more than none"}, `{type: array, items: {type: string}}`, `["sample"]`},
		{row{"set", "the members differ"}, `{type: array, x-kubernetes-list-type: set, minItems: 3, items: {type: string}}`, `["sample","sample1","sample2"]`},
		{row{"set of enum", "they differ here, too"}, `{type: array, x-kubernetes-list-type: set, minItems: 2, items: {type: string, enum: [a, b]}}`, `["a","b"]`},
		{row{"map", "the keys differ"}, `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port], minItems: 2, items: {type: object, required: [port], properties: {port: {type: integer}}}}`, `[{"port":1},{"port":2}]`},
		{row{"no items", "as few as there may be"}, `{type: array, maxItems: 0, items: {type: string}}`, `[]`},

		{row{"required only", "a sample is small"}, `{type: object, required: [a], properties: {a: {type: integer}, b: {type: integer}}}`, `{"a":1}`},
		{row{"defaults within", "servers fill them in"}, `{type: object, properties: {a: {type: integer, default: 7}}}`, `{"a":7}`},
		{row{"at least two", "the optional ones"}, `{type: object, minProperties: 2, properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}}`, `{"a":1,"b":1}`},
		{row{"map of strings", "nothing has to be in it"}, `{type: object, additionalProperties: {type: string}}`, `{}`},
		{row{"filled map", "something has to be in it"}, `{type: object, minProperties: 2, additionalProperties: {type: integer, minimum: 3}}`, `{"sample":3,"sample1":3}`},
		{row{"preserved", "anything may be in it"}, `{type: object, x-kubernetes-preserve-unknown-fields: true}`, `{}`},
		{row{"embedded", "an object of Kubernetes"}, `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"sample"}}`},

		{row{"one of", "exactly one is there"}, `{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}`, `{"a":"sample"}`},
		{row{"one of, not the first", "the first one contradicts the rest"}, `{type: object, required: [b], properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a], not: {required: [b]}}, {required: [b], not: {required: [a]}}]}`, `{"b":"sample"}`},
		{row{"all of", "all limits count"}, `{type: integer, minimum: 2, allOf: [{minimum: 4}, {maximum: 9, multipleOf: 3}]}`, `6`},
		{row{"all of within", "what is said of a property far away"}, `{type: object, properties: {a: {type: string}}, allOf: [{required: [a], properties: {a: {enum: [x]}}}]}`, `{"a":"x"}`},
		{row{"everything there", "leaving something out is not allowed"}, `{type: object, properties: {a: {type: string}, b: {type: string}}, not: {not: {required: [b]}}}`, `{"a":"sample","b":"sample"}`},
	}, func(t *testing.T, tc objectCase) {
		object, err := Object(t.Context(), read(t, "{type: object, required: [it], properties: {it: "+tc.schema+"}}"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(object["it"])
		if diff := cmp.Diff(tc.want, string(got)); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

type rootCase struct {
	row
	schema string
	want   map[string]any
}

func TestObject(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []rootCase{
		{row{"known to servers", "what every object has is not made"}, `{type: object, required: [spec], properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object}, spec: {type: object}}}`,
			map[string]any{"spec": map[string]any{}}},
		{row{"optional spec", "it is what webhooks look at"}, `{type: object, properties: {spec: {type: object, properties: {a: {type: integer, default: 2}}}, status: {type: object}}}`,
			map[string]any{"spec": map[string]any{"a": int64(2)}}},
		{row{"name", "some kinds have one name only"}, `{type: object, properties: {metadata: {type: object, properties: {name: {type: string, enum: [cluster]}}}}}`,
			map[string]any{"metadata": map[string]any{"name": "cluster"}}},
		{row{"preserved", "a schema that says nothing"}, `{type: object, x-kubernetes-preserve-unknown-fields: true}`, map[string]any{}},
	}, func(t *testing.T, tc rootCase) {
		got, err := Object(t.Context(), read(t, tc.schema))
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

type hopelessCase struct {
	row
	schema string
	want   string
}

func TestHopeless(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []hopelessCase{
		{row{"contradiction", "no number is both"}, `{type: object, required: [size], properties: {size: {type: integer, minimum: 5, maximum: 4}}}`,
			`size: Invalid value: 1: size in body should be greater than or equal to 5`},
		{row{"far within", "the path says where"}, `{type: object, properties: {spec: {type: object, required: [of], properties: {of: {type: array, minItems: 1, items: {type: string, pattern: '^\b\B$'}}}}}}`,
			`spec.of[0]: Invalid value: "sample": spec.of[0] in body should match '^\b\B$'`},
	}, func(t *testing.T, tc hopelessCase) {
		object, err := Object(t.Context(), read(t, tc.schema))
		if object != nil || testtable.Text(err) != tc.want {
			t.Errorf("got %v, %v\nwant %s", object, err, tc.want)
		}
	})
}
