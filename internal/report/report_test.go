package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/report"
	"example.com/gatehouse/internal/testutil/reportsample"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

type documentCase struct {
	row
	document *explain.Document
}

func documents() []documentCase {
	return []documentCase{
		{row{"one", "the usual report"}, reportsample.Document(reportsample.Pod())},
		{row{"several", "several items have an overview"}, reportsample.Document(reportsample.Pod(), reportsample.Small())},
		{row{"many", "large reports are supported"}, reportsample.Many(5, 60)},
		{row{"hostile", "texts of objects must not become markup"}, reportsample.Document(reportsample.Hostile())},
		{row{"none", "a document may be empty"}, reportsample.Document()},
		{row{"empty explanation", "every part is optional"}, reportsample.Document(&explain.Explanation{})},
	}
}

func write(t *testing.T, d *explain.Document) string {
	t.Helper()
	var page bytes.Buffer
	if err := report.Write(&page, d); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// element returns the content of the only element with this start tag.
func element(t *testing.T, page, begin, end string) string {
	t.Helper()
	if n := strings.Count(page, begin); n != 1 {
		t.Fatalf("%s occurs %d times", begin, n)
	}
	_, rest, _ := strings.Cut(page, begin)
	content, _, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no end tag", begin)
	}
	return content
}

func data(t *testing.T, page string) string {
	t.Helper()
	return element(t, page, `<script type="application/json" id="explanation">`, "</script>")
}

func TestDataIsTheDocument(t *testing.T) {
	testtable.Run(t, documents(), func(t *testing.T, tc documentCase) {
		var got explain.Document
		decoder := json.NewDecoder(strings.NewReader(data(t, write(t, tc.document))))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&got); err != nil {
			t.Fatal(err)
		}
		// The escapes of a RawMessage may change, but not its value.
		sameJSON := cmp.Transformer("canonical", func(raw json.RawMessage) any {
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.UseNumber()
			var value any
			if err := decoder.Decode(&value); err != nil && len(raw) > 0 {
				t.Errorf("%s: %v", raw, err)
			}
			return value
		})
		if diff := cmp.Diff(tc.document, &got, sameJSON); diff != "" {
			t.Errorf("(-document +page):\n%s", diff)
		}
	})
}

func TestDataIsEscaped(t *testing.T) {
	testtable.Run(t, documents(), func(t *testing.T, tc documentCase) {
		if i := strings.IndexAny(data(t, write(t, tc.document)), "<>&\u2028\u2029\x00"); i >= 0 {
			t.Errorf("the character at %d has a meaning in HTML or JavaScript", i)
		}
	})
}

// TestElements counts elements, because markup from a document would add some.
func TestElements(t *testing.T) {
	testtable.Run(t, documents(), func(t *testing.T, tc documentCase) {
		page := write(t, tc.document)
		for tag, want := range map[string]int{"<script": 2, "</script": 2, "<style": 1, "<!--": 0, "<img": 0, "<link": 0, "<iframe": 0} {
			if got := strings.Count(strings.ToLower(withoutScript(t, page)), tag); got != want {
				t.Errorf("%s occurs %d times, want %d", tag, got, want)
			}
		}
	})
}

// withoutScript removes the page's own script, which may name elements.
func withoutScript(t *testing.T, page string) string {
	t.Helper()
	return strings.Replace(page, element(t, page, `<script type="module">`, "</script>"), "", 1)
}

func TestPolicyAllowsOwnScriptAndStyle(t *testing.T) {
	t.Parallel()
	page := write(t, reportsample.Document(reportsample.Pod()))
	policy := html.UnescapeString(element(t, page, `<meta http-equiv="Content-Security-Policy" content="`, `">`))
	for directive, text := range map[string]string{
		"script-src": element(t, page, `<script type="module">`, "</script>"),
		"style-src":  element(t, page, "<style>", "</style>"),
	} {
		sum := sha256.Sum256([]byte(text))
		want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("the policy does not start with default-src 'none': %s", policy)
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy allows something unsafe: %s", policy)
	}
}

// TestRequestsPage: the page of the requests may connect to its server only.
func TestRequestsPage(t *testing.T) {
	t.Parallel()
	policy := html.UnescapeString(element(t, requestsPage(t), `<meta http-equiv="Content-Security-Policy" content="`, `">`))
	for _, want := range []string{"default-src 'none'; ", "connect-src 'self'; ", "trusted-types 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %q: %s", want, policy)
		}
	}
	if err := report.WriteRequests(failingWriter{}); !errors.Is(err, errWrite) {
		t.Errorf("the writer's error is not returned: %v", err)
	}
}

// TestPageIsSelfContained searches for everything that makes a browser send
// requests. The page of the requests may fetch them.
func TestPageIsSelfContained(t *testing.T) {
	t.Parallel()
	const fetch = `\bfetch\(`
	requests := requestsPage(t)
	for _, page := range allPages(t) {
		for _, pattern := range []string{
			`\bsrc\s*=`, `(?i)url\(`, `@import`, `(?i)\bhref\s*=\s*["']?[^"'#]`,
			fetch, `XMLHttpRequest`, `WebSocket`, `sendBeacon`, `EventSource`, `importScripts`, `\bimport\b`,
		} {
			found := regexp.MustCompile(pattern).FindString(page)
			if found != "" && (page != requests || pattern != fetch) {
				t.Errorf("the page has %q", found)
			}
		}
	}
	// The page of findings links to the sources of rules, for people to follow.
	if found := regexp.MustCompile(`https?://`).FindString(write(t, reportsample.Document())); found != "" {
		t.Errorf("the page has %q", found)
	}
}

// TestScriptCreatesNoMarkup protects browsers without Trusted Types, too.
func TestScriptCreatesNoMarkup(t *testing.T) {
	t.Parallel()
	for _, page := range allPages(t) {
		script := element(t, page, `<script type="module">`, "</script>")
		for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(", "new Function", "srcdoc"} {
			if strings.Contains(script, word) {
				t.Errorf("the script uses %s", word)
			}
		}
	}
}

func TestWriteIsDeterministic(t *testing.T) {
	testtable.Run(t, documents(), func(t *testing.T, tc documentCase) {
		first := write(t, tc.document)
		for range 3 {
			if again := write(t, tc.document); again != first {
				t.Fatal("two pages of one document differ")
			}
		}
	})
}

func TestSummaryWithoutScripts(t *testing.T) {
	t.Parallel()
	plain := element(t, write(t, reportsample.Document(reportsample.Pod(), reportsample.Small())), "<noscript>", "</noscript>")
	for _, want := range []string{
		"<h1>Admission of 2 requests</h1>",
		"<h2>CREATE pods prod/web-7d9f4c: denied</h2>",
		"container &#34;web&#34; has no memory limit",
		"<li>mutating, round 1: teams.example.com of platform-teams allowed after 3.1ms</li>",
		"<li>validating, round 0: limits.example.com of platform-limits rejected after 31.3ms</li>",
		"Webhooks that were not called: 8",
		"<h2>DELETE deployments prod/web: admitted</h2>",
	} {
		if !strings.Contains(plain, want) {
			t.Errorf("the summary lacks %q:\n%s", want, plain)
		}
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	const want = "CREATE pods prod/web-7d9f4c: denied"
	if got := element(t, write(t, reportsample.Document(reportsample.Pod())), "<title>", "</title>"); got != want {
		t.Errorf("the title is %q, want %q", got, want)
	}
}

type failingWriter struct{}

var errWrite = errors.New("the disk is full")

func (failingWriter) Write([]byte) (int, error) { return 0, errWrite }

func TestErrors(t *testing.T) {
	t.Parallel()
	if err := report.Write(failingWriter{}, reportsample.Document()); !errors.Is(err, errWrite) {
		t.Errorf("the writer's error is not returned: %v", err)
	}
	var page bytes.Buffer
	if err := report.Write(&page, nil); err == nil || page.Len() > 0 {
		t.Errorf("no document: error %v, %d bytes", err, page.Len())
	}
	broken := reportsample.Document(&explain.Explanation{Object: json.RawMessage(`{"half":`)})
	if err := report.Write(&page, broken); err == nil || page.Len() > 0 {
		t.Errorf("half an object: error %v, %d bytes", err, page.Len())
	}
}
