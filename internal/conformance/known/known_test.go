package known

import (
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// rejecting is a webhook that rejects text/plain with a message.
func rejecting(message string) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") != "text/plain" {
			probetest.Good().ServeHTTP(out, r)
			return
		}
		probetest.Write(out, map[string]any{"response": map[string]any{"allowed": false, "status": map[string]any{"message": message}}})
	})
}

type test struct {
	testtable.Row
	handler http.Handler
	check   string
	found   report.Finding
	want    string
}

// TestDescribe recognizes by exact text. The projects in test/integration show
// that the libraries send it.
func TestDescribe(t *testing.T) {
	t.Parallel()
	const exact = "contentType=text/plain, expected application/json"
	plain := report.Finding{Message: "m", Evidence: []report.Exchange{{ContentType: "text/plain; charset=utf-8"}}}
	testtable.Run(t, []test{
		{testtable.Row{"known", "the library says so itself"}, rejecting(exact), "C-CONTENT-TYPE", plain,
			"known of controller-runtime v0.25.2 (pkg/webhook/admission/http.go, writeAdmissionResponse): it sets no content type; nothing for you to fix"},
		{testtable.Row{"other text", "it is another library"}, rejecting(exact + "!"), "C-CONTENT-TYPE", plain, ""},
		{testtable.Row{"good", "nothing says what it is"}, probetest.Good(), "C-CONTENT-TYPE", plain, ""},
		{testtable.Row{"other type", "the webhook has set it"}, rejecting(exact), "C-CONTENT-TYPE",
			report.Finding{Evidence: []report.Exchange{{ContentType: "text/html"}}}, ""},
		{testtable.Row{"other check", "nothing is known of it"}, rejecting(exact), "C-UID", plain, ""},
		{testtable.Row{"no evidence", "there is nothing to go by"}, rejecting(exact), "C-CONTENT-TYPE", report.Finding{Message: "m"}, ""},
	}, func(t *testing.T, tc test) {
		c := probetest.New(t, tc.handler, []runtime.Object{probetest.Mutating("a", "/")}, probetest.Pod(admissionv1.Create))
		result := &report.Result{Check: tc.check, Verdict: report.Fail, Findings: []report.Finding{tc.found}}
		Describe(t.Context(), c.Webhooks[0], result)
		if got := result.Findings[0].Known; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}

// TestDescribeNothing leaves webhooks alone that have no such finding.
func TestDescribeNothing(t *testing.T) {
	t.Parallel()
	asked := 0
	c := probetest.New(t, probetest.Handler(func(probe.Review, map[string]any) { asked++ }), []runtime.Object{probetest.Mutating("a", "/")}, probetest.Pod(admissionv1.Create))
	before := asked
	Describe(t.Context(), c.Webhooks[0], &report.Result{Check: "C-UID", Verdict: report.Pass})
	if asked != before {
		t.Errorf("the webhook was called %d times", asked-before)
	}
}

// TestTable has a reason and a place for every row.
func TestTable(t *testing.T) {
	t.Parallel()
	for _, one := range findings() {
		if !strings.HasPrefix(one.where, "pkg/") || one.what == "" || one.of.version == "" {
			t.Errorf("%s of %s lacks something", one.check, one.of.name)
		}
	}
}
