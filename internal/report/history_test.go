package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/report"
	"example.com/gatehouse/internal/testutil/reportsample"
)

// TestHistory: the page is that of the document, with the events beside the requests.
func TestHistory(t *testing.T) {
	t.Parallel()
	h := &report.History{
		Document: reportsample.Document(reportsample.Pod(), reportsample.Small()),
		Title:    "<b>history</b>", Events: []report.Event{{Time: "10:00", Text: "</script>"}, {Time: "10:05", Text: "b"}},
	}
	var out bytes.Buffer
	if err := report.WriteHistory(&out, h); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if got := html.UnescapeString(element(t, page, "<title>", "</title>")); got != h.Title {
		t.Errorf("the title is %q", got)
	}
	plain := html.UnescapeString(element(t, page, "<noscript>", "</noscript>"))
	for _, want := range []string{"<h2>10:00, </script>: CREATE pods prod/web-7d9f4c: denied</h2>", "<h2>10:05, b: DELETE deployments prod/web: admitted</h2>"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the summary lacks %q:\n%s", want, plain)
		}
	}
	var got struct {
		Kind   string
		Items  []any
		Events []report.Event
	}
	text := data(t, page)
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Kind != "Explanation" || len(got.Items) != 2 ||
		!slices.Equal(got.Events, h.Events) || strings.Contains(text, "<") {
		t.Errorf("the data is %+v (%v)", got, err)
	}
	if err := report.WriteHistory(failingWriter{}, h); !errors.Is(err, errWrite) {
		t.Errorf("the writer's error is not returned: %v", err)
	}
	out.Reset()
	for _, none := range []*report.History{nil, {}} {
		if err := report.WriteHistory(&out, none); err == nil || out.Len() > 0 {
			t.Errorf("error %v, %d bytes", err, out.Len())
		}
	}
}
