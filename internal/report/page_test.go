package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"example.com/gatehouse/internal/report"
	"example.com/gatehouse/internal/testutil/reportsample"
	"example.com/gatehouse/internal/testutil/testtable"
)

type pageCase struct {
	row
	write func(io.Writer, *report.Page) error
	page  *report.Page
}

func pages() []pageCase {
	return []pageCase{
		{row{"outage", "names of backends and messages may be hostile"}, report.WriteOutage, reportsample.HostileOutage()},
		{row{"lint", "files, reasons and messages may be hostile"}, report.WriteLint, reportsample.HostileFindings()},
		{row{"diff", "files and requests may be hostile"}, report.WriteDiff, reportsample.HostileDiff()},
		{row{"audit", "names of objects and users may be hostile"}, report.WriteAudit, reportsample.HostileAudit()},
	}
}

// TestHostilePages: texts become neither elements nor the end of the data.
func TestHostilePages(t *testing.T) {
	testtable.Run(t, pages(), func(t *testing.T, tc pageCase) {
		var out bytes.Buffer
		if err := tc.write(&out, tc.page); err != nil {
			t.Fatal(err)
		}
		page := out.String()
		if i := strings.IndexAny(data(t, page), "<>&\u2028\u2029\x00"); i >= 0 {
			t.Errorf("the character at %d of the data has a meaning in HTML or JavaScript", i)
		}
		for tag, want := range map[string]int{"<script": 2, "</script": 2, "<style": 1, "<!--": 0, "<img": 0} {
			if got := strings.Count(strings.ToLower(withoutScript(t, page)), tag); got != want {
				t.Errorf("%s occurs %d times, want %d", tag, got, want)
			}
		}
		want, err := json.Marshal(tc.page.Data)
		if err != nil || data(t, page) != string(want) {
			t.Errorf("the data is not that of the page (%v)", err)
		}
	})
}

func TestPageErrors(t *testing.T) {
	testtable.Run(t, pages(), func(t *testing.T, tc pageCase) {
		if err := tc.write(failingWriter{}, tc.page); !errors.Is(err, errWrite) {
			t.Errorf("the writer's error is not returned: %v", err)
		}
		var out bytes.Buffer
		for _, page := range []*report.Page{nil, {Title: "no JSON", Data: func() {}}} {
			if err := tc.write(&out, page); err == nil || out.Len() > 0 {
				t.Errorf("error %v, %d bytes", err, out.Len())
			}
		}
	})
}

// allPages returns a page of every sort, without data of users.
func allPages(t *testing.T) []string {
	t.Helper()
	all := []string{write(t, reportsample.Document())}
	for _, tc := range pages() {
		var out bytes.Buffer
		if err := tc.write(&out, &report.Page{Title: tc.Name()}); err != nil {
			t.Fatal(err)
		}
		all = append(all, out.String())
	}
	return append(all, requestsPage(t))
}

// requestsPage returns the page of the requests.
func requestsPage(t *testing.T) string {
	t.Helper()
	var page bytes.Buffer
	if err := report.WriteRequests(&page); err != nil {
		t.Fatal(err)
	}
	return page.String()
}
