package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/auditlog/loops"
	auditcommand "example.com/gatehouse/internal/cli/audit"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestAuditSchemaHasTheSameValues compares the kinds of loops.
func TestAuditSchemaHasTheSameValues(t *testing.T) {
	t.Parallel()
	schema, err := readSchema("auditreport")
	if err != nil {
		t.Fatal(err)
	}
	compareSets(t, map[string]set{"kind": {
		schema.Properties["loops"].Items.Schema.Properties["kind"].Enum,
		[]string{string(loops.Undone), string(loops.Repeated), string(loops.Doubled)},
	}})
}

// auditOutput runs gatehouse audit -o json with a log.
func auditOutput(t *testing.T, log string, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := auditcommand.New()
	cmd.SetArgs(append([]string{path, "-o", "json"}, args...))
	cmd.SetOut(&out)
	cmd.SetErr(&bytes.Buffer{})
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	if err := cmd.ExecuteContext(t.Context()); err != nil && !errors.Is(err, message.ErrDenied) {
		t.Fatal(err)
	}
	return out.Bytes()
}

// auditSample is a log of which a report has every part.
func auditSample() string {
	const add = `[{"op":"add","path":"/metadata/labels/team","value":"a"}]`
	const replace = `[{"op":"replace","path":"/metadata/labels/team","value":"b"}]`
	body := func(labels string) string {
		return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","labels":{` + labels + `}}}`
	}
	var log audittest.Log
	for range 5 {
		log.Add("update", "ann", body(``), audittest.Answer(body(`"team":"a"`)), audittest.Called(0, "undone", add))
		log.Add("patch", "kubelet", `{"status":{}}`, audittest.Of("", "pods", "shop", "p"), audittest.Query("fieldManager=k"), audittest.Subresource("status"), audittest.Called(0, "repeated", add),
			func(e *auditv1.Event) { e.User.Groups = []string{"system:nodes"} })
		log.Add("patch", "ann", `[{"op":"remove","path":"/metadata/labels/team"}]`, audittest.Of("", "nodes", "", "n"), audittest.Called(0, "patched", add))
		log.Add("patch", "argo", body(``), audittest.Of("", "services", "shop", "s"), audittest.Query("fieldManager=argocd&force=true"), audittest.Called(0, "applied", add),
			audittest.CalledIn(1, 0, "applied", add))
		log.Add("create", "ann", body(``), audittest.Of("", "secrets", "shop", ""), audittest.Called(0, "doubled", add), audittest.CalledIn(1, 0, "doubled", add))
		log.Add("update", "ann", body(``), audittest.Of("apps", "statefulsets", "shop", "t"), audittest.Called(0, "first", add), audittest.Called(1, "second", replace))
	}
	for i := range 10 {
		log.Add("update", strings.Repeat("u", i+1), body(``), audittest.AtMetadata())
	}
	log.Add("update", "bob", body(``)) // what was stored when the next ones are refused
	for _, edit := range []audittest.Edit{
		audittest.Refused(403, `admission webhook "v" denied the request: no`),
		audittest.Refused(422, `pods "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`),
		audittest.Refused(500, `Internal error occurred: failed calling webhook "w": refused`),
		audittest.Annotated("validation.policy.admission.k8s.io/validation_failure", `[{"policy":"p","binding":"b","validationActions":["Warn","Audit"]}]`),
		audittest.Annotated("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "v"),
		audittest.Annotated("audit.k8s.io/truncated", "true"), audittest.Annotated("v/reason", "x"),
		audittest.Annotated("apiserver.latency.k8s.io/mutating-webhook", "1.2s"),
	} {
		log.Add("update", "bob", body(``), edit)
	}
	log.Add("get", "ann", ``)
	log.Add("update", "ann", body(``))
	lines := log.Lines()
	lines[len(lines)-1] = strings.Replace(lines[len(lines)-1], "ResponseComplete", "RequestReceived", 1)
	return log.Text() + "{broken\n"
}

// TestAuditSample: the sample has every field of the schema.
func TestAuditSample(t *testing.T) {
	t.Parallel()
	schema, err := readSchema("auditreport")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]property{}
	collectProperties(t, schema, "", fields)
	var out any
	text := auditOutput(t, auditSample(), "--since", "2026-11-26T10:00:05Z",
		"--record", t.TempDir(), "--redact", "metadata.namespace")
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	collectPaths(schema, out, "", found)
	for path := range fields {
		if !found[path] && !slices.Contains(unsampled(), path) {
			t.Errorf("it has no %s", path)
		}
	}
	for _, path := range unsampled() {
		if found[path] {
			t.Errorf("it has %s", path)
		}
	}
}

// unsampled are the fields that the sample cannot have.
func unsampled() []string {
	return []string{
		// An event is late, and objects and names are left out, only after thousands of others.
		"log.late", "dropped", "uncounted",
		// The request of a loop always has the object that was stored, which has them.
		"loops.request.resource", "loops.request.namespace", "loops.request.name",
	}
}

// collectPaths collects the fields of a value of a schema, with the paths of
// collectProperties.
func collectPaths(schema *apiextensionsv1.JSONSchemaProps, value any, at string, into map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if schema.Items != nil { // a patch may be anything
				collectPaths(schema.Items.Schema, item, at, into)
			}
		}
	case map[string]any:
		for name, field := range value {
			if p, ok := schema.Properties[name]; ok {
				into[at+name] = true
				collectPaths(&p, field, at+name+".", into)
			}
		}
	}
}

type auditCase struct {
	row
	log    string
	schema string
	args   []string
}

// TestAuditOutputs holds what the command prints against the schemas.
func TestAuditOutputs(t *testing.T) {
	t.Parallel()
	var calm audittest.Log
	calm.Add("get", "ann", ``)
	testtable.Run(t, []auditCase{
		{row{"report", "it has every part"}, auditSample(), "auditreport", nil},
		{row{"since", "early events are counted"}, auditSample(), "auditreport", []string{"--since", "2026-11-26T10:00:30Z"}},
		{row{"record", "a corpus is made"}, auditSample(), "auditreport", []string{"--record", t.TempDir()}},
		{row{"calm report", "parts may be empty"}, calm.Text(), "auditreport", nil},
		{row{"history", "requests of all sorts"}, auditSample(), "audithistory", []string{"--object", "deployment/shop/web"}},
		{row{"field", "what wrote a field"}, auditSample(), "audithistory", []string{"--object", "deployment/shop/web", "--field", "metadata.labels"}},
		{row{"history without writers", "the list is empty"}, auditSample(), "audithistory", []string{"--object", "deployment/shop/web", "--field", "spec.replicas"}},
	}, func(t *testing.T, tc auditCase) {
		out := auditOutput(t, tc.log, tc.args...)
		validate, err := validator(tc.schema)
		if err == nil {
			err = validate(out)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
