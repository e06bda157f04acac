package conformance

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestBrief leaves out what need not be seen, and nothing else.
func TestBrief(t *testing.T) {
	t.Parallel()
	patch := base64.StdEncoding.EncodeToString([]byte(`[{"op":"add","path":"/metadata/labels","value":{"n":10000000000000000001}}]`))
	type test struct {
		row
		body, want string
	}
	testtable.Run(t, []test{
		{
			row{"request", "the sample has the rest"},
			`{"request":{"uid":"u","dryRun":true,"kind":{"kind":"Pod"},"object":{"kind":"Pod"},"userInfo":{}}}`,
			`{"request":{"dryRun":true,"uid":"u"}}`,
		},
		{
			row{"patch", "patches are decoded, and numbers are as the webhook wrote them"},
			`{"response":{"allowed":true,"patch":"` + patch + `"}}`,
			`{"response":{"allowed":true,"patch":[{"op":"add","path":"/metadata/labels","value":{"n":10000000000000000001}}]}}`,
		},
		{
			row{"patch that is none", "it is what is wrong"},
			`{"response":{"patch":"bm90IGEgcGF0Y2g="}}`, `{"response":{"patch":"bm90IGEgcGF0Y2g="}}`,
		},
		{
			row{"echo", "what was sent has been shown"},
			`{"request":{"uid":"u","object":{}},"response":{"uid":"u"}}`, `{"request":"…","response":{"uid":"u"}}`,
		},
		{row{"page", "it is text, and fits for a terminal"}, `"<p>\u001b[31mno\n"`, `<p>\x1b[31mno\n`},
		{row{"list", "it is no review, but JSON"}, `[1, 2]`, `[1, 2]`},
		{row{"long", "a line is enough"}, `"` + strings.Repeat("é", maxBrief+1) + `"`, strings.Repeat("é", maxBrief) + "…"},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(tc.want, brief(json.RawMessage(tc.body))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestFindings prints every part of a result.
func TestFindings(t *testing.T) {
	t.Parallel()
	silent := report.Exchange{Method: "POST", URL: "https://hook/", Request: json.RawMessage(`"half a rev"`), Error: "no answer within 1s", Milliseconds: 1000}
	result := &report.Result{
		Message: "p99 2s", More: 3,
		Findings: []report.Finding{
			{Sample: "CREATE pods/a", Message: "no\x1b", Paths: []string{"spec.a", "spec.b"}, Evidence: []report.Exchange{silent}},
			{Message: "again", Evidence: []report.Exchange{silent}},
		},
	}
	type test struct {
		row
		all  bool
		want string
	}
	testtable.Run(t, []test{
		{row{"short", "findings of a kind have evidence of a kind"}, false, `  CREATE pods/a: no\x1b
    at spec.a
    at spec.b
    sent     POST https://hook/ half a rev
    answered nothing in 1s: no answer within 1s
  again
  and 3 more
  p99 2s
`},
		{row{"all", "verbose"}, true, `  CREATE pods/a: no\x1b
    at spec.a
    at spec.b
    sent     POST https://hook/
      half a rev
    answered nothing in 1s: no answer within 1s
  again
    sent     POST https://hook/
      half a rev
    answered nothing in 1s: no answer within 1s
  and 3 more
  p99 2s
`},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(tc.want, string(findings(result, "  ", tc.all))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}
