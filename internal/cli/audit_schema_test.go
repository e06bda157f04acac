package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/auditlog/loops"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

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
	}
	for i := range 10 {
		log.Add("update", strings.Repeat("u", i+1), body(``), audittest.AtMetadata())
	}
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
	out := string(auditOutput(t, auditSample(), "--since", "2026-11-26T10:00:05Z",
		"--record", t.TempDir(), "--redact", "metadata.namespace"))
	for path := range fields {
		name := path[strings.LastIndexByte(path, '.')+1:]
		if !strings.Contains(out, `"`+name+`": `) && path != "log.late" && path != "dropped" && path != "uncounted" {
			t.Errorf("it has no %s", path)
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
