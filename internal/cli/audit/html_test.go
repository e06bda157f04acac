package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/testutil/audittest"
)

// full is a report with n rows of everything, whose texts have a length.
func full(n, length int) *Report {
	text := func(i int) string { return fmt.Sprint(i, strings.Repeat("ä", length)) }
	r := &Report{Log: &auditlog.Stats{Events: n, Files: 1, First: time.Unix(0, 0), Last: time.Unix(3600, 0)}, Report: &tally.Report{}}
	for i := range n {
		r.Webhooks = append(r.Webhooks, tally.Webhook{Configuration: text(i), Webhook: text(i), Phase: "mutating"})
		r.Policies = append(r.Policies, tally.Policy{Policy: text(i), Binding: text(i)})
		r.Annotations = append(r.Annotations, tally.Annotation{Owner: text(i), Key: text(i)})
		w := tally.Writer{User: text(i), Manager: text(i)}
		r.Objects = append(r.Objects, tally.Object{Resource: text(i), Name: text(i), Writers: slices.Repeat([]tally.Writer{w}, 8)})
		r.Writers = append(r.Writers, w)
		r.Log.Problems = append(r.Log.Problems[:min(i, 19)], auditlog.Problem{File: text(i), What: "broken"})
	}
	for i := range min(n, 1000) {
		request := &loops.Request{Operation: "CREATE", Object: json.RawMessage(fmt.Sprintf("%q", strings.Repeat("x", 60_000)))}
		r.Loops = append(r.Loops, loops.Loop{Kind: loops.Undone, Webhook: text(i), Resource: "pods", Name: text(i), Objects: 1, Times: 3,
			Paths: []string{text(i)}, Undoers: []loops.Party{{User: text(i), Times: 3}}, Request: request})
	}
	return r
}

// TestPageFits: the page does not grow with the log without end, and says what is not on it.
func TestPageFits(t *testing.T) {
	t.Parallel()
	r := full(1500, 2000)
	p := r.page([]string{"a.log"})
	text, err := r.html([]string{"a.log"})
	if err != nil || len(text) > 20<<20 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	requests := 0
	for i := range p.Loops {
		if p.Loops[i].Request != "" {
			requests++
		}
	}
	if len(p.Webhooks.Rows) != maxPageRows || p.Webhooks.Count != 1500 || p.Policies.Count != 1500 || len(p.Loops) != 1000 || requests != 34 {
		t.Errorf("%d of %d webhooks, %d loops, %d requests", len(p.Webhooks.Rows), p.Webhooks.Count, len(p.Loops), requests)
	}
	for _, text := range []string{
		p.Webhooks.Rows[0].Configuration, p.Policies.Rows[0].Binding, p.Annotations.Rows[0].Key, p.Objects.Rows[0].Resource,
		p.Objects.Rows[0].Writers[7].User, p.Writers.Rows[0].Manager, p.Unread[0], p.Loops[0].Title, p.Loops[0].Paths[0], p.Loops[0].Undoers[0].Name,
	} {
		if n := utf8.RuneCountInString(text); n != maxText {
			t.Errorf("a text has %d characters", n)
		}
	}
	if utf8.RuneCountInString(r.Objects[0].Writers[0].User) < 2000 {
		t.Error("the page cuts the texts of the report")
	}
}

// TestShow: the command that shows an object is one that a shell takes.
func TestShow(t *testing.T) {
	t.Parallel()
	l := loops.Loop{Resource: "deployments.apps/scale", Namespace: "shop", Name: "it's"}
	for logs, want := range map[string]string{
		"a.log|b c.log": `gatehouse audit a.log 'b c.log' --object 'deployments.apps/shop/it'\''s'`,
		"1|2|3|4|5":     `gatehouse audit LOG... --object 'deployments.apps/shop/it'\''s'`,
	} {
		if got := newPageLoop(&l, strings.Split(logs, "|")).Show; got != want {
			t.Errorf("got %s", got)
		}
	}
	l.Name = ""
	if got := newPageLoop(&l, nil).Show; got != "" {
		t.Errorf("got %s", got)
	}
}

// TestLastFitting: the page of an object has the last requests, at least one.
func TestLastFitting(t *testing.T) {
	t.Parallel()
	var entries []history.Entry
	for i := range 6 {
		size := []int{10, maxHistory / 2, 10, maxHistory / 2, 10, 10}[i]
		entries = append(entries, history.Entry{AuditID: fmt.Sprint(i), Explanation: &explain.Explanation{Problems: []string{strings.Repeat("x", size)}}})
	}
	for n, first := range map[int]string{6: "2", 1: "0"} {
		got, err := lastFitting(entries[:n])
		if err != nil || got[0].AuditID != first || got[len(got)-1].AuditID != fmt.Sprint(n-1) {
			t.Errorf("the first of %d is %s, %v", n, got[0].AuditID, err)
		}
	}
	entries[5].Explanation.Problems[0] = strings.Repeat("x", 2*maxHistory)
	if got, err := lastFitting(entries); err != nil || len(got) != 1 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

// TestObjectPage: the page of an object has each request with its event.
func TestObjectPage(t *testing.T) {
	t.Parallel()
	log := fight("update", `{"metadata":{"labels":{}}}`, audittest.Of("", "configmaps", "shop", "c"), "")
	out, err := execute(t, log.Text(), "--object", "configmap/shop/c", "-o", "html")
	for _, want := range []string{
		"<title>gatehouse audit: 5 requests of configmap/shop/c</title>", `"events":[{"time":"2026-11-26T10:00:00Z","text":"update, audit ID id-1, manager manager"},`,
		"<h2>2026-11-26T10:00:05Z, update, audit ID id-2, manager manager: UPDATE configmaps shop/c: admitted</h2>",
	} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v: it lacks %s", err, want)
		}
	}
}
