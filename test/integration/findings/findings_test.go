package findings

import (
	"crypto/tls"
	"crypto/x509"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

const page = `# Page

## example.com/other v1.2.3

### ` + "`C-OTHER`" + ` (must)

## example.com/library v1.2.3

Of 3 checks, 1 pass, 2 fail and 0 are skipped.

### ` + "`C-ONE`" + ` (must)

### ` + "`C-TWO`" + ` (should)

## The end
`

// library is what the page is about.
func library() *Library {
	return &Library{Module: "example.com/library", Findings: []Finding{
		{Check: "C-ONE", Where: "one.go", Why: "it does"}, {Check: "C-TWO", Where: "two.go", Why: "it does not"},
	}}
}

// found is what the page says was found.
func found() *report.Report {
	return &report.Report{
		Webhooks: []report.Webhook{{Name: "hook"}},
		Checks:   []report.Check{{ID: "C-ONE", Level: report.Must}, {ID: "C-TWO", Level: report.Should}, {ID: "C-THREE", Level: report.Should, Title: "is good"}},
		Results: []report.Result{
			{Check: "C-ONE", Verdict: report.Fail}, {Check: "C-TWO", Verdict: report.Fail}, {Check: "C-THREE", Verdict: report.Pass},
		},
	}
}

func section(t *testing.T) string {
	t.Helper()
	own, err := library().sectionOf(page, "v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	return own
}

type compareRow struct {
	row
	change func(*report.Report)
	want   []string
}

func TestCompare(t *testing.T) {
	t.Parallel()
	const other = "the page does not say of example.com/library: Of 3 checks, "
	testtable.Run(t, []compareRow{
		{row{"as known", "what is known is no news"}, func(*report.Report) {}, nil},
		{row{"gone", "a library gets better, and the page has to say so"}, func(r *report.Report) { r.Results[0].Verdict = report.Pass }, []string{
			"C-ONE is no finding any more: pass. The row said: it does",
			other + "2 pass, 1 fail and 0 are skipped.",
		}},
		{row{"new", "a library gets worse, or a check"}, func(r *report.Report) {
			r.Results[2] = report.Result{Check: "C-THREE", Verdict: report.Fail, Findings: []report.Finding{{Message: "it is bad"}}}
		}, []string{
			"C-THREE (should) fails, which is new: is good\nit is bad\n",
			other + "0 pass, 3 fail and 0 are skipped.",
		}},
		{row{"level", "a check may become a must"}, func(r *report.Report) { r.Checks[1].Level = report.Must }, []string{"the page does not say that C-TWO is a must"}},
		{row{"problem", "what was not looked at has not failed either"}, func(r *report.Report) { r.Webhooks[0].Problem = "it cannot be reached" },
			[]string{"hook: it cannot be reached"}},
	}, func(t *testing.T, tc compareRow) {
		r := found()
		tc.change(r)
		if diff := cmp.Diff(tc.want, library().compare(r, section(t))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

type mistakesRow struct {
	row
	change func(*Library)
	want   []string
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []mistakesRow{
		{row{"none", "the page has what the table has"}, func(*Library) {}, nil},
		{row{"order", "people look for both in the same order"}, func(l *Library) { l.Findings[0], l.Findings[1] = l.Findings[1], l.Findings[0] },
			[]string{"the page tells about [C-ONE C-TWO], and the table has [C-TWO C-ONE]"}},
		{row{"no reason", "a finding needs an explanation"}, func(l *Library) { l.Findings[0].Why = "" },
			[]string{"{Check:C-ONE Where:one.go Why:}: a row has a check that no other has, and says where and why"}},
		{row{"twice", "one of the two would be forgotten"}, func(l *Library) { l.Findings[1] = l.Findings[0] }, []string{
			"{Check:C-ONE Where:one.go Why:it does}: a row has a check that no other has, and says where and why",
			"the page tells about [C-ONE C-TWO], and the table has [C-ONE C-ONE]",
		}},
	}, func(t *testing.T, tc mistakesRow) {
		l := library()
		tc.change(l)
		if diff := cmp.Diff(tc.want, l.mistakes(section(t))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestVersion has a page about another version than the one that is used
// noticed.
func TestVersion(t *testing.T) {
	t.Parallel()
	l := library()
	if got, err := l.version("require (\n\texample.com/library v1.3.0\n)\n"); got != "v1.3.0" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := l.version("require example.com/library/v2 v2.0.0\n"); err == nil {
		t.Error("it is not required, and there is no error")
	}
	if _, err := l.sectionOf(page, "v1.3.0"); err == nil || !strings.Contains(err.Error(), `"## example.com/library v1.3.0"`) {
		t.Errorf("there is no such section, and it says: %v", err)
	}
}

// TestCertify has a client trust what it is to trust.
func TestCertify(t *testing.T) {
	t.Parallel()
	folder := Certify(t, "hook.shop.svc")
	pair, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(read(t, folder, "ca.crt"))) {
		t.Fatal("ca.crt has no certificate")
	}
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: "hook.shop.svc", Roots: roots}); err != nil {
		t.Error(err)
	}
}
