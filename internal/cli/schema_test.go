package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	auditcommand "example.com/gatehouse/internal/cli/audit"
	"example.com/gatehouse/internal/cli/diff"
	doctorcommand "example.com/gatehouse/internal/cli/doctor"
	lintcommand "example.com/gatehouse/internal/cli/lint"
	outagecommand "example.com/gatehouse/internal/cli/outage"
	"example.com/gatehouse/internal/cli/plan"
	"example.com/gatehouse/internal/conformance/baseline"
	conformancereport "example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/doctor"
	lintoutage "example.com/gatehouse/internal/lint/outage"
	suitereport "example.com/gatehouse/internal/suite/report"
	"example.com/gatehouse/internal/testutil/schematest"
)

// documents are the Go types of the schemas, by the name of the file.
var documents = map[string]reflect.Type{
	"explanation":         reflect.TypeFor[explain.Document](),
	"conformance":         reflect.TypeFor[conformancereport.Report](),
	"conformancebaseline": reflect.TypeFor[baseline.Baseline](),
	"admissionplan":       reflect.TypeFor[plan.Plan](),
	"admissiondiff":       reflect.TypeFor[diff.Document](),
	"admissiontestreport": reflect.TypeFor[suitereport.Report](),
	"lintreport":          reflect.TypeFor[lintcommand.Report](),
	"outagereport":        reflect.TypeFor[outagecommand.Report](),
	"doctorreport":        reflect.TypeFor[doctorcommand.Report](),
	"recordedrequest":     reflect.TypeFor[corpus.Entry](),
	"auditreport":         reflect.TypeFor[auditcommand.Report](),
	"audithistory":        reflect.TypeFor[auditcommand.History](),
}

// readSchema returns a schema, with what is defined once put wherever it is
// meant, since the validator follows no references. A word of JSON Schema that
// the validator does not know is an error, so that nothing in the schema goes
// untested.
func readSchema(name string) (*apiextensionsv1.JSONSchemaProps, error) {
	file := name + ".v1alpha1.json"
	l := library{}
	if err := l.read(file); err != nil {
		return nil, err
	}
	whole, err := l.resolved(l[file], file)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	schema := &apiextensionsv1.JSONSchemaProps{}
	return schema, decoder.Decode(schema)
}

// library has the schemas that have been read, by the names of their files.
type library map[string]map[string]any

func (l library) read(file string) error {
	if l[file] != nil {
		return nil
	}
	text, err := os.ReadFile("../../docs/schemas/" + file)
	if err != nil {
		return err
	}
	var root map[string]any
	err = json.Unmarshal(text, &root)
	l[file] = root
	return err
}

// resolved returns a part of a file with what its references lead to, which may
// be in another file. What is written beside one counts more.
func (l library) resolved(value any, file string) (_ any, err error) {
	switch v := value.(type) {
	case []any:
		all := make([]any, len(v))
		for i := range v {
			if all[i], err = l.resolved(v[i], file); err != nil {
				return nil, err
			}
		}
		return all, nil
	case map[string]any:
		whole := map[string]any{}
		if name, ok := v["$ref"].(string); ok {
			if whole, err = l.definition(name, file); err != nil {
				return nil, err
			}
		}
		for key := range v {
			if key == "$ref" || key == "definitions" {
				continue
			}
			if whole[key], err = l.resolved(v[key], file); err != nil {
				return nil, err
			}
		}
		return whole, nil
	}
	return value, nil
}

// definition returns what a reference in a file leads to.
func (l library) definition(name, from string) (map[string]any, error) {
	file, pointer, _ := strings.Cut(name, "#")
	if file == "" {
		file = from
	}
	if err := l.read(file); err != nil {
		return nil, err
	}
	definitions, _ := l[file]["definitions"].(map[string]any)
	whole, err := l.resolved(definitions[path.Base(pointer)], file)
	definition, ok := whole.(map[string]any)
	if err == nil && !ok {
		err = fmt.Errorf("%s: there is no %s", from, name)
	}
	return definition, err
}

// valid holds a file against a schema, that of explanations unless it says
// which.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: valid FILE [SCHEMA]")
	}
	args = append(args, "explanation")
	validate, err := validator(args[1])
	ts.Check(err)
	ts.Check(validate([]byte(ts.ReadFile(args[0]))))
}

// validators have what holds documents against schemas, by the name of the
// schema. Each is made once, since scripts ask for the same few again and
// again, and at the same time.
var validators sync.Map

func validator(name string) (func(document []byte) error, error) {
	made, _ := validators.LoadOrStore(name, sync.OnceValues(func() (func([]byte) error, error) {
		schema, err := readSchema(name)
		if err != nil {
			return nil, err
		}
		return schematest.Compile(schema)
	}))
	return made.(func() (func([]byte) error, error))()
}

// property is what Go types and the schema have to agree on.
type property struct {
	Type     string
	Required bool
}

// TestSchemaHasTheSameFields compares each schema with the Go types, field by
// field.
func TestSchemaHasTheSameFields(t *testing.T) {
	t.Parallel()
	for name, document := range documents {
		want, got := map[string]property{}, map[string]property{}
		collectFields(t, document, "", want)
		// Every document has kind and apiVersion, although TypeMeta makes both optional.
		want["apiVersion"], want["kind"] = property{"string", true}, property{"string", true}
		schema, err := readSchema(name)
		if err != nil {
			t.Fatal(err)
		}
		collectProperties(t, schema, "", got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-Go type +schema):\n%s", name, diff)
		}
	}
}

// TestSchemaHasTheSameValues compares closed sets of texts with the vocabulary.
func TestSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	schema, err := readSchema("explanation")
	if err != nil {
		t.Fatal(err)
	}
	item := schema.Properties["items"].Items.Schema
	webhook := item.Properties["rounds"].Items.Schema.Properties["webhooks"].Items.Schema
	writer := item.Properties["fields"].Items.Schema.Properties["writer"]
	compareSets(t, map[string]set{
		"stage":      {webhook.Properties["stage"].Enum, named(admission.StageExempt, admission.StagePassed)},
		"ruleMisses": {webhook.Properties["match"].Properties["ruleMisses"].Items.Schema.Enum, named(admission.RuleMatched, admission.RuleResources)},
		"outcome":    {webhook.Properties["call"].Properties["outcome"].Enum, append(named(admission.Allowed, admission.Panicked), explain.OutcomeNotReached)},
		"writer": {writer.Properties["by"].Enum, []string{
			explain.ByStored, explain.ByUser, explain.ByPolicy, explain.ByWebhook, explain.ByDefaulting, explain.ByConversion, explain.ByServer,
		}},
	})
}

// TestConformanceSchemaHasTheSameValues does so for reports.
func TestConformanceSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	schema, err := readSchema("conformance")
	if err != nil {
		t.Fatal(err)
	}
	fields := func(list string) map[string]apiextensionsv1.JSONSchemaProps {
		return schema.Properties[list].Items.Schema.Properties
	}
	compareSets(t, map[string]set{
		"apiVersion": {schema.Properties["apiVersion"].Enum, []string{conformancereport.APIVersion}},
		"kind":       {schema.Properties["kind"].Enum, []string{conformancereport.Kind}},
		"phase":      {fields("webhooks")["phase"].Enum, named(admission.Mutating, admission.Validating)},
		"group":      {fields("checks")["group"].Enum, []string{string(conformancereport.Protocol), string(conformancereport.Behaviour), string(conformancereport.TLS), string(conformancereport.Lifecycle)}},
		"level":      {fields("checks")["level"].Enum, []string{string(conformancereport.Must), string(conformancereport.Should)}},
		"verdict":    {fields("results")["verdict"].Enum, []string{string(conformancereport.Pass), string(conformancereport.Fail), string(conformancereport.Skip)}},
	})
}

// TestSuiteSchemaHasTheSameValues does so for what came of suites.
func TestSuiteSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	schema, err := readSchema("admissiontestreport")
	if err != nil {
		t.Fatal(err)
	}
	cases := schema.Properties["suites"].Items.Schema.Properties["cases"].Items.Schema
	compareSets(t, map[string]set{
		"apiVersion": {schema.Properties["apiVersion"].Enum, []string{suitereport.APIVersion}},
		"kind":       {schema.Properties["kind"].Enum, []string{suitereport.Kind}},
		"status":     {cases.Properties["status"].Enum, []string{string(suitereport.Passed), string(suitereport.Failed), string(suitereport.Error), string(suitereport.NotReached)}},
	})
}

// TestLintSchemasHaveTheSameValues does so for what endangers a cluster.
func TestLintSchemasHaveTheSameValues(t *testing.T) {
	t.Parallel()
	fields := func(name, list string) map[string]apiextensionsv1.JSONSchemaProps {
		schema, err := readSchema(name)
		if err != nil {
			t.Fatal(err)
		}
		return schema.Properties[list].Items.Schema.Properties
	}
	finding, webhook := fields("lintreport", "findings"), fields("doctorreport", "webhooks")
	problem := finding["others"].Items.Schema.Properties
	levels := []string{string(lint.Error), string(lint.Warning), string(lint.Info)}
	effects := named(lintoutage.Passes, lintoutage.Refused)
	compareSets(t, map[string]set{
		"level":  {finding["level"].Enum, levels},
		"others": {problem["level"].Enum, slices.Clone(levels)},
		"effect": {finding["witnesses"].Items.Schema.Properties["effect"].Enum, effects},
		"outage": {fields("outagereport", "everything")["effect"].Enum, slices.DeleteFunc(slices.Clone(effects),
			func(effect string) bool { return effect == lintoutage.Passes.String() })},
		"phase": {webhook["phase"].Enum, named(admission.Mutating, admission.Validating)},
		"status": {webhook["checks"].Items.Schema.Properties["status"].Enum,
			[]string{string(doctor.OK), string(doctor.Problem), string(doctor.Unknown)}},
	})
}

// TestCorpusSchemaHasTheSameValues does so for recorded requests.
func TestCorpusSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	schema, err := readSchema("recordedrequest")
	if err != nil {
		t.Fatal(err)
	}
	answer := schema.Properties["answers"].Items.Schema
	compareSets(t, map[string]set{
		"apiVersion": {schema.Properties["apiVersion"].Enum, []string{corpus.APIVersion}},
		"kind":       {schema.Properties["kind"].Enum, []string{corpus.Kind}},
		"phase":      {answer.Properties["phase"].Enum, named(admission.Mutating, admission.Validating)},
		"outcome":    {answer.Properties["outcome"].Enum, named(admission.Allowed, admission.Panicked)},
	})
}

// set is a closed set of texts, as a schema has it and as it has to be.
type set struct {
	got  []apiextensionsv1.JSON
	want []string
}

func compareSets(t *testing.T, sets map[string]set) {
	t.Helper()
	for name, set := range sets {
		got := schematest.Enum(t, set.got)
		slices.Sort(got)
		slices.Sort(set.want)
		if diff := cmp.Diff(set.want, got); diff != "" {
			t.Errorf("%s (-want +schema):\n%s", name, diff)
		}
	}
}

// named returns the names of all values of a closed set, from the first to the
// last.
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
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() && !field.Anonymous {
			continue
		}
		if name == "" {
			if name = field.Name; field.Anonymous {
				collectFields(t, field.Type, prefix, into)
				continue
			}
		}
		// A struct that is no pointer is left out by omitzero only.
		isStruct := field.Type.Kind() == reflect.Struct
		required := !strings.Contains(options, "omit") || options == "omitempty" && isStruct
		into[prefix+name] = property{typeOf(t, field.Type, prefix+name, into), required}
	}
}

// typeOf returns the JSON type of a Go type, and collects what is in it.
func typeOf(t *testing.T, of reflect.Type, at string, into map[string]property) string {
	t.Helper()
	switch of {
	case reflect.TypeFor[json.RawMessage]():
		return ""
	case reflect.TypeFor[*metav1.MicroTime](), reflect.TypeFor[time.Time]():
		return "string"
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
