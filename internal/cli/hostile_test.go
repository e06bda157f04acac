package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/testtable"
)

// hostileText is what webhooks say that want to be a terminal's, a workflow's
// or a page's masters. It begins in the middle of a line and has lines of its
// own.
const hostileText = "SAID\x1b[2J\x1b]0;title\x07\b\r\n::error::owned\n ::stop-commands::x\n##[error]owned\u202e\u2066\u009b31m\u0085\u2028\x00" +
	`]]><script>alert(1)</script><!-- "><img src=x onerror=alert(1)> &#27;`

// hostileWebhook returns it in every field.
func hostileWebhook(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	answer := &admissionv1.AdmissionResponse{
		UID: review.Request.UID, Allowed: true,
		Warnings:         []string{hostileText},
		AuditAnnotations: map[string]string{hostileText: hostileText, "good": hostileText},
	}
	switch r.URL.Path {
	case "/deny":
		answer.Allowed = false
		answer.Result = &metav1.Status{Message: hostileText, Reason: hostileText, Code: 403, Details: &metav1.StatusDetails{
			Name: hostileText, Causes: []metav1.StatusCause{{Message: hostileText, Field: hostileText}},
		}}
	case "/patch":
		value, _ := json.Marshal(hostileText)
		answer.Patch = fmt.Appendf(nil, `[{"op":"add","path":"/data","value":{%s:%s}}]`, value, value)
		answer.PatchType = new(admissionv1.PatchTypeJSONPatch)
	case "/unusable":
		path, _ := json.Marshal("/" + hostileText + "/x")
		answer.Patch = fmt.Appendf(nil, `[{"op":"add","path":%s,"value":1}]`, path)
		answer.PatchType = new(admissionv1.PatchTypeJSONPatch)
	case "/uid":
		answer.UID = hostileText
	case "/broken":
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, hostileText+"\xff\x9b")
		return
	case "/redirect":
		w.Header()["Location"] = []string{"https://\u202eSAID;<script>.example/\x1b"}
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	case "/status":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure", Message: hostileText, Reason: hostileText, Code: 403})
		return
	}
	review.Response, review.Request = answer, nil
	reply(w, review)
}

// hostileFiles are a configuration, a suite and an object for a path of the
// webhook.
type hostileFiles struct{ hooks, suite, object string }

func writeHostile(t *testing.T, path string) hostileFiles {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(hostileWebhook))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	bundle := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	hooks := fmt.Sprintf(`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: hostile}, webhooks: [{
name: hostile.example.com, clientConfig: {url: "%s%s", caBundle: %s}, sideEffects: None, admissionReviewVersions: [v1],
rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]}]}`, server.URL, path, bundle)
	object := `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}`
	suite := "apiVersion: gatehouse/v1alpha1\nkind: AdmissionTest\nconfigurations:\n- " + strings.ReplaceAll(hooks, "\n", " ") +
		"\ncases:\n- name: one\n  request: {object: " + object + "}\n  expect: {called: [], message: nothing, warnings: [none], object: {data: {a: b}}}\n"
	folder := t.TempDir()
	files := hostileFiles{filepath.Join(folder, "hooks.yaml"), filepath.Join(folder, "suite.yaml"), filepath.Join(folder, "object.yaml")}
	for file, text := range map[string]string{files.hooks: hooks, files.suite: suite, files.object: object} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// hostileOutput is an output that contains text of webhooks.
type hostileOutput struct {
	row
	args func(hostileFiles) []string
	// check looks at standard output, in addition to the common checks.
	check func(t *testing.T, out string)
	// data says that the output is for programs: what may be there is what its
	// format has no need to escape.
	data bool
}

func hostileOutputs() []hostileOutput {
	with := func(command ...string) func(hostileFiles) []string {
		return func(f hostileFiles) []string { return append(command, "-f", f.hooks, f.object) }
	}
	suite := func(form string) func(hostileFiles) []string {
		return func(f hostileFiles) []string { return []string{"test", "-v", "-o", form, f.suite} }
	}
	nothing := func(*testing.T, string) {}
	return []hostileOutput{
		{row{"run", "the table is for terminals"}, with("run"), nothing, false},
		{row{"run verbose", "and so is what explains it"}, with("run", "-v"), nothing, false},
		{row{"run yaml", "objects are for kubectl, and warnings for terminals"}, with("run", "-o", "yaml"), nothing, true},
		{row{"run json", "escaped even so, because people look at it"}, with("run", "-o", "json"), wellFormedJSON, false},
		{row{"explain", "the tree is for terminals"}, with("explain", "--color", "never"), nothing, false},
		{row{"explain json", "escaped even so"}, with("explain", "-o", "json", "--bodies"), wellFormedJSON, false},
		{row{"explain yaml", "a document for programs"}, with("explain", "-o", "yaml", "--bodies"), nothing, true},
		{row{"explain html", "a page that runs nothing but its own"}, with("explain", "-o", "html"), harmlessPage, true},
		{row{"test text", "the text is for terminals"}, suite("text"), nothing, false},
		{row{"test github", "a runner obeys some lines"}, suite("github"), noCommands, false},
		{row{"test junit", "a document for programs"}, suite("junit"), wellFormedXML, true},
		{row{"test json", "escaped even so"}, suite("json"), wellFormedJSON, false},
		{row{"conformance text", "the text is for terminals"}, with("conformance", "-o", "text", "-v"), nothing, false},
		{row{"conformance junit", "a document for programs"}, with("conformance", "-o", "junit"), wellFormedXML, true},
		{row{"conformance sarif", "escaped even so"}, with("conformance", "-o", "sarif"), wellFormedJSON, false},
		{row{"conformance json", "escaped even so"}, with("conformance", "-o", "json"), wellFormedJSON, false},
	}
}

// TestHostileTexts prints all texts of webhooks in every format.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	paths := []string{"/deny", "/allow", "/patch", "/unusable", "/uid", "/broken", "/redirect", "/status"}
	testtable.Run(t, hostileOutputs(), func(t *testing.T, o hostileOutput) {
		said := false
		for _, path := range paths {
			if strings.HasPrefix(o.Name(), "conformance") && !slices.Contains([]string{"/deny", "/uid", "/broken"}, path) {
				continue // these take longer, and find the same
			}
			args := o.args(writeHostile(t, path))
			if args[0] == "conformance" {
				args = append(args, "--calls", "10") // more say the same
			}
			var stdout, stderr bytes.Buffer
			status := execute(t.Context(), args, nil, &stdout, &stderr)
			if status == program.BadInput || status == program.Failed {
				t.Fatalf("%s: status %d: %s", path, status, &stderr)
			}
			harmless(t, path, stdout.String(), o.data)
			harmless(t, path+" on standard error", stderr.String(), false)
			o.check(t, stdout.String())
			said = said || strings.Contains(stdout.String()+stderr.String(), "SAID")
		}
		if !said {
			t.Error("the output contains no text of webhooks: the test checks nothing")
		}
	})
}

// harmless fails unless a terminal would show the text and nothing else.
// Documents for programs may have characters above ASCII as they are.
func harmless(t *testing.T, what, text string, data bool) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: not UTF-8: %q", what, text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		bad := strings.IndexFunc(line, func(r rune) bool {
			return r != '\t' && !unicode.IsPrint(r) && (r <= unicode.MaxASCII || !data)
		})
		if bad >= 0 {
			t.Errorf("%s: %q at %d of %q", what, line[bad:min(len(line), bad+4)], bad, line)
		}
	}
}

func wellFormedJSON(t *testing.T, out string) {
	t.Helper()
	if !json.Valid([]byte(out)) {
		t.Errorf("no JSON: %s", out)
	}
}

func wellFormedXML(t *testing.T, out string) {
	t.Helper()
	for decoder := xml.NewDecoder(strings.NewReader(out)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("no XML: %v: %s", err, out)
			return
		}
		if start, ok := token.(xml.StartElement); ok && !strings.HasPrefix(start.Name.Local, "test") && !slices.Contains([]string{"failure", "error", "skipped", "system-out", "system-err", "properties", "property"}, start.Name.Local) {
			t.Errorf("an element %s: %s", start.Name.Local, out)
		}
	}
}

// noCommands fails if a line is a command that no failure of the suite made.
func noCommands(t *testing.T, out string) {
	t.Helper()
	own := regexp.MustCompile(`^::error file=[^,\n]+,line=\d+,title=[^:,\n]+::`)
	for line := range strings.SplitSeq(out, "\n") {
		if strings.Contains(line, "##[") || strings.HasPrefix(strings.TrimSpace(line), "::") && !own.MatchString(line) {
			t.Errorf("a command: %q", line)
		}
	}
}

// harmlessPage fails if the page has a script or a tag of the webhook's. What
// is shown is data inside a script, in which "<" is never written as it is.
func harmlessPage(t *testing.T, out string) {
	t.Helper()
	for _, bad := range []string{"<script>alert", "<img src=x", "<!-- \"", "]]><"} {
		if strings.Contains(out, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}
