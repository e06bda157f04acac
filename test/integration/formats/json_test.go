package formats

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.com/gatehouse/internal/cli/conformance"
	"example.com/gatehouse/internal/testutil/testtable"
)

// compiled returns a schema; formats, such as those of URIs, count.
func compiled(t *testing.T, name string, text []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// hold reports what a schema has against a document.
func hold(t *testing.T, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := schema.Validate(document); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
}

// documented returns one of our schemas, with those that it refers to.
func documented(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("../../../docs/schemas", name+".v1alpha1.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestConformanceJSON(t *testing.T) {
	t.Parallel()
	schema := documented(t, "conformance")
	testtable.Run(t, useCases(), func(t *testing.T, tc useCase) { hold(t, schema, tc.produce(t, "json")) })
}

func TestConformanceList(t *testing.T) {
	t.Parallel()
	text := run(t, conformance.New(), "--list", "-o", "json")
	whole := `{"apiVersion":"gatehouse/v1alpha1","kind":"ConformanceReport","webhooks":[],"results":[],"checks":` + string(text) + `}`
	hold(t, documented(t, "conformance"), []byte(whole))
}

func TestExplanationJSON(t *testing.T) {
	t.Parallel()
	hold(t, documented(t, "explanation"), explanation(t))
}

func TestSuitesJSON(t *testing.T) {
	t.Parallel()
	schema := documented(t, "admissiontestreport")
	testtable.Run(t, suiteCases(), func(t *testing.T, tc suiteCase) { hold(t, schema, tc.produce(t, "json")) })
}

// TestSchemasRefuse what is not quite a document: a schema that takes
// everything would find nothing.
func TestSchemasRefuse(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"conformance":         `{"apiVersion":"gatehouse/v1alpha1","kind":"ConformanceReport","webhooks":[],"results":[{"check":"C-UID","verdict":"maybe"}],"checks":[]}`,
		"admissiontestreport": `{"apiVersion":"gatehouse/v1alpha1","kind":"AdmissionTestReport","summary":{"suites":1,"cases":1,"passed":0,"failed":1,"errors":0,"notRun":0,"goldens":0},"suites":[{"name":"a","file":"a.yaml","seconds":0,"cases":[{"name":"a","line":1,"status":"failed","seconds":0,"explanation":{}}]}]}`,
		"lintreport":          `{"apiVersion":"gatehouse/v1alpha1","kind":"LintReport","findings":[{"id":"a/b","rule":"a","level":"bad","subject":"b","message":"","title":"","why":"","fix":""}],"skipped":[]}`,
		"outagereport":        `{"apiVersion":"gatehouse/v1alpha1","kind":"OutageReport","requests":[],"backends":[],"together":[],"everything":[{"request":"a","effect":"passes","seconds":0,"webhooks":[]}],"coldStart":{"rounds":[],"stuck":[]}}`,
		"doctorreport":        `{"apiVersion":"gatehouse/v1alpha1","kind":"DoctorReport","webhooks":[{"name":"a","phase":"both","file":"a","line":1,"checks":[]}],"problems":0,"unknown":0}`,
		"auditreport":         `{"apiVersion":"gatehouse/v1alpha1","kind":"AuditReport","log":{"files":1,"bytes":1,"events":1,"first":"yesterday"},"requests":1,"denied":0,"levels":{},"webhooks":[],"idle":[],"policies":[],"annotations":[],"latency":[],"objects":[],"writers":[],"loops":[],"remarks":[]}`,
		"audithistory":        `{"apiVersion":"gatehouse/v1alpha1","kind":"AuditHistory","log":{"files":1,"bytes":1,"events":1},"items":[{"auditID":"a","time":"2026-11-26T10:00:00Z","file":"a","line":1,"verb":"update"}]}`,
		"explanation":         `{"apiVersion":"gatehouse/v1alpha1","kind":"Explanation","items":[{}]}`,
	} {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		if documented(t, name).Validate(document) == nil {
			t.Errorf("the schema of %s takes %s", name, text)
		}
	}
}
