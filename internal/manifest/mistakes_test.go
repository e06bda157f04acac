package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// mistakesRow has the lines of an error without the file and the document.
type mistakesRow struct {
	row
	input string
	want  []string
}

// mistakesOf returns the lines of an error.
func mistakesOf(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(strings.ReplaceAll(err.Error(), "a.yaml: document 1 ", ""), "\n")
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	const list = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n- apiVersion: v1\n  kind: Pod\n  spec:\n    containers:\n    - name: a\n      imagee: b\n"
	testtable.Run(t, []mistakesRow{
		{row{"none", "values may be null, and numbers large"}, podYAML + "metadata: {labels: }\nspec: {activeDeadlineSeconds: 9223372036854775807}\n", nil},
		{row{"unknown field", "its path and its line"}, podYAML + "spec:\n  containers:\n  - imagee: a\n",
			[]string{`(line 5): unknown field "spec.containers[0].imagee"`}},
		{row{"two unknown fields", "each on its line, in the order of the lines"}, podYAML + "spec:\n  b: 1\n  a: 2\n",
			[]string{`(line 4): unknown field "spec.b"`, `(line 5): unknown field "spec.a"`}},
		{row{"wrong case", "field names are case sensitive"}, podYAML + "Spec: {}\n", []string{`(line 3): unknown field "Spec"`}},
		{row{"wrong case and type", "a field that is not known has no type"}, podYAML + "Spec: 1\nspec: 2\n",
			[]string{`(line 3): unknown field "Spec"`, "(line 4): spec: must be an object, but is a number"}},
		{row{"unknown in JSON", "JSON has lines too"}, "{\"apiVersion\":\"v1\",\n\"kind\":\"Pod\",\n\"spec\":{\"a\":1}}", []string{`(line 3): unknown field "spec.a"`}},
		{row{"duplicate in JSON", "the line of the second"}, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\n\"hostname\":\"a\",\n\"hostname\":\"b\"}}",
			[]string{`(line 3): duplicate field "spec.hostname"`}},
		{row{"JSON that YAML cannot read", "no line for the field, but one for the document"}, "\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\n\"a\":\"\\ud83d\\ude00\"}",
			[]string{`(line 2): unknown field "a"`}},
		{row{"in a list", "which item, and the path within it"}, list, []string{`(line 10): items[1]: unknown field "spec.containers[0].imagee"`}},
		{row{"all at once", "types, unknown and duplicate fields, each once"},
			podYAML + "metadata:\n  labels: {tier: 7}\nspec:\n  hostNetwork: 'yes'\n  contianers: []\n  priority: 1.5\n  hostname: a\n  hostname: b\n  containers:\n  - name: [a]\n    ports: {containerPort: 80}\n    imagee: x\n",
			[]string{
				"(line 4): metadata.labels.tier: must be a string, but is a number",
				"(line 6): spec.hostNetwork: must be a boolean, but is a string",
				`(line 7): unknown field "spec.contianers"`,
				"(line 8): spec.priority: must be a whole number, but is 1.5",
				`(line 10): duplicate field "spec.hostname"`,
				"(line 12): spec.containers[0].name: must be a string, but is a list",
				"(line 13): spec.containers[0].ports: must be a list, but is an object",
				`(line 14): unknown field "spec.containers[0].imagee"`,
			}},
		{row{"in duplicates", "every value that is decoded has to fit"}, `{"apiVersion":"v1","kind":"Pod","spec":{"priority":"a","priority":"b"}}`,
			[]string{"(line 1): spec.priority: must be a whole number, but is a string", "(line 1): spec.priority: must be a whole number, but is a string", `(line 1): duplicate field "spec.priority"`}},
		{row{"too large", "how large it may be is said"}, podYAML + "spec:\n  priority: 2147483648\n",
			[]string{"(line 4): spec.priority: must be a whole number of at most 32 bits, but is 2147483648"}},
		{row{"much too large", "a number of any length is no message"}, `{"apiVersion":"v1","kind":"Pod","spec":{"priority":` + strings.Repeat("1", 1000) + "}}",
			[]string{"(line 1): spec.priority: must be a whole number of at most 32 bits, but is a number"}},
		{row{"types that decode themselves", "their own words, and what they may be"},
			podYAML + "metadata:\n  creationTimestamp: \"a\\nb\"\nspec:\n  containers:\n  - resources: {limits: {cpu: many}}\n    livenessProbe: {httpGet: {port: true}}\n",
			[]string{
				`(line 4): metadata.creationTimestamp: parsing time "a\x0ab" as "2006-01-02T15:04:05Z07:00": cannot parse "a\x0ab" as "2006"`,
				"(line 7): spec.containers[0].resources.limits.cpu: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
				"(line 8): spec.containers[0].livenessProbe.httpGet.port: must be a whole number or a string, but is a boolean",
			}},
		{row{"bytes", "the value is not shown"}, "apiVersion: v1\nkind: Secret\ndata:\n  password: hunter2!\n  pin: 1234\n",
			[]string{"(line 4): data.password: illegal base64 data at input byte 7", "(line 5): data.pin: must be a string in base64, but is a number"}},
	}, func(t *testing.T, tc mistakesRow) {
		_, err := decode(t, last(t, tc.input))
		if diff := cmp.Diff(tc.want, mistakesOf(err)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestMistakesOfSchemas looks into a type that decodes itself, and as deep as
// schemas go.
func TestMistakesOfSchemas(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n"
	deep := head + "        " + strings.Repeat("{not: ", 500) + "{maxLength: a}" + strings.Repeat("}", 500) + "\n"
	for input, want := range map[string]string{
		head + "        properties:\n          a:\n            items:\n              maxLength: long\n": "(line 10): spec.versions[0].schema.openAPIV3Schema.properties.a.items.maxLength: must be a whole number, but is a string",
		deep: "(line 7): spec.versions[0].schema.openAPIV3Schema." + strings.Repeat("not.", 500) + "maxLength: must be a whole number, but is a string",
	} {
		err := last(t, input).DecodeInto(&apiextensionsv1.CustomResourceDefinition{}, true)
		if diff := cmp.Diff([]string{want}, mistakesOf(err)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestManyMistakes: a document of nothing but mistakes has a bounded message.
func TestManyMistakes(t *testing.T) {
	t.Parallel()
	var input strings.Builder
	input.WriteString("apiVersion: v1\nkind: ConfigMap\ndata:\n")
	for i := range 5000 {
		fmt.Fprintf(&input, "  k%d: %d\n", i, i)
	}
	_, err := decode(t, last(t, input.String()))
	if got := mistakesOf(err); len(got) != 100 {
		t.Errorf("got %d mistakes, want 100", len(got))
	}
}

// TestRawMistakes: parts that the value keeps as JSON have duplicates, too.
func TestRawMistakes(t *testing.T) {
	t.Parallel()
	doc := last(t, podYAML+"spec: {size: 1, size: 2}\nname: 7\nname: 8\nage: 1\n")
	type file struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		Spec       raw    `json:"spec"`
	}
	for strict, want := range map[bool][]string{
		true: {`(line 3): duplicate field "spec.size"`, "(line 5): name: must be a string, but is a number",
			`(line 5): duplicate field "name"`, `(line 6): unknown field "age"`},
		false: {`(line 3): duplicate field "spec.size"`, "(line 5): name: must be a string, but is a number",
			`(line 5): duplicate field "name"`},
	} {
		var got []string
		for _, err := range doc.RawMistakes(&file{}, strict) {
			got = append(got, mistakesOf(err)...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("strict %t (-want +got):\n%s", strict, diff)
		}
	}
}

// raw is a field that is kept as JSON.
type raw []byte

func (r *raw) UnmarshalJSON(text []byte) error {
	*r = append([]byte{}, text...)
	return nil
}

func TestCheckMetadata(t *testing.T) {
	t.Parallel()
	const widget = "apiVersion: example.com/v1\nkind: Widget\n"
	testtable.Run(t, []mistakesRow{
		{row{"good", "other fields have no type"}, widget + "metadata: {name: a}\nspec: {any: thing}\n", nil},
		{row{"absent", "a name may be generated later"}, widget, nil},
		{row{"null", "a server refuses it"}, widget + "metadata:\n", []string{"(line 3): metadata: must be an object"}},
		{row{"list", "a server refuses it"}, widget + "metadata: []\n", []string{"(line 3): metadata: must be an object, but is a list"}},
		{row{"mistakes", "each on its line"}, widget + "metadata:\n  name: 7\n  labls: {}\n  labels:\n    a: yes\n",
			[]string{"(line 4): metadata.name: must be a string, but is a number", `(line 5): unknown field "metadata.labls"`, "(line 7): metadata.labels.a: must be a string, but is a boolean"}},
	}, func(t *testing.T, tc mistakesRow) {
		if diff := cmp.Diff(tc.want, mistakesOf(last(t, tc.input).CheckMetadata(true))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
