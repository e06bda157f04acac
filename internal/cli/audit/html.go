package audit

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report"
)

const (
	// maxText limits the texts of the page, in characters, and maxPageRows the rows of its
	// tables.
	maxText     = 300
	maxPageRows = 500
	// maxSections limits the loops and webhooks of the summary.
	maxSections = 100
)

// page is the data of the page. Long texts are cut.
type page struct {
	// Headline says what was found.
	Headline string `json:"headline"`
	// First and Last are the times of the first and last event; empty if none was examined.
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`

	Events   int `json:"events"`
	Files    int `json:"files"`
	Requests int `json:"requests"`
	Denied   int `json:"denied"`
	// Unread are the first parts that are no events, and Broken is their number.
	Unread  []string `json:"unread,omitempty"`
	Broken  int      `json:"broken"`
	Remarks []string `json:"remarks"`

	Loops       []pageLoop             `json:"loops"`
	Webhooks    rows[tally.Webhook]    `json:"webhooks"`
	Latency     []tally.Latency        `json:"latency"`
	Policies    rows[tally.Policy]     `json:"policies"`
	Annotations rows[tally.Annotation] `json:"annotations"`
	Objects     rows[tally.Object]     `json:"objects"`
	Writers     rows[tally.Writer]     `json:"writers"`
}

// rows are those of a table that fit, and the number of all.
type rows[T any] struct {
	Rows  []T `json:"rows"`
	Count int `json:"count"`
}

// rowsOf copies rows, and has their texts cut.
func rowsOf[T any](all []T, texts func(*T) []*string) rows[T] {
	r := rows[T]{Rows: append([]T{}, all[:min(len(all), maxPageRows)]...), Count: len(all)}
	for i := range r.Rows {
		for _, text := range texts(&r.Rows[i]) {
			*text = cut(*text)
		}
	}
	return r
}

// cut cuts a text that is too long for the page.
func cut(text string) string { return message.Cut(text, maxText) }

// html returns the report as a page. logs are the arguments of the command.
func (r *Report) html(logs []string) ([]byte, error) {
	p := r.page(logs)
	var out bytes.Buffer
	err := report.WriteAudit(&out, &report.Page{
		Title: "gatehouse audit: " + p.Headline, Summary: p.summary(), Data: p,
	})
	return out.Bytes(), err
}

func (r *Report) page(logs []string) *page {
	p := &page{
		Headline: "no component repeatedly undoes the change of a webhook",
		Events:   r.Log.Events, Files: r.Log.Files, Requests: r.Requests, Denied: r.Denied,
		Broken: r.Log.Broken, Remarks: r.Remarks, Latency: r.Latency,
		Loops:       newPageLoops(r.Loops, logs),
		Webhooks:    rowsOf(r.Webhooks, textsOfWebhook),
		Policies:    rowsOf(r.Policies, textsOfPolicy),
		Annotations: rowsOf(r.Annotations, textsOfAnnotation),
		Objects:     rowsOf(r.Objects, textsOfObject),
		Writers:     rowsOf(r.Writers, textsOfWriter),
	}
	if len(r.Loops) > 0 {
		p.Headline = message.Count(len(r.Loops), "loop")
	}
	if !r.Log.First.IsZero() {
		p.First, p.Last = shownTime(r.Log.First), shownTime(r.Log.Last)
	}
	for _, problem := range r.Log.Problems {
		p.Unread = append(p.Unread, cut(problem.String()))
	}
	return p
}

func textsOfWebhook(w *tally.Webhook) []*string { return []*string{&w.Configuration, &w.Webhook} }

func textsOfPolicy(p *tally.Policy) []*string { return []*string{&p.Policy, &p.Binding} }

func textsOfAnnotation(a *tally.Annotation) []*string { return []*string{&a.Owner, &a.Key} }

func textsOfWriter(w *tally.Writer) []*string {
	return []*string{&w.User, &w.Manager, &w.Webhook}
}

func textsOfObject(o *tally.Object) []*string {
	o.Writers = rowsOf(o.Writers, textsOfWriter).Rows
	return []*string{&o.Resource, &o.Namespace, &o.Name}
}

// summary has a section for each loop, and one for the webhooks.
func (p *page) summary() []report.Section {
	var all []report.Section
	for i := range p.Loops[:min(len(p.Loops), maxSections)] {
		l := &p.Loops[i]
		all = append(all, report.Section{
			Heading: fmt.Sprintf("%d. %s", i+1, message.Escaped(l.Title)),
			Text:    message.Escaped(l.Where),
			Lines:   []string{message.Escaped(strings.Join(l.Paths, ", ")), l.often()},
		})
	}
	if n := len(p.Loops) - len(all); n > 0 {
		all = append(all, report.Section{Heading: message.Count(n, "more loop")})
	}
	s := report.Section{Heading: message.Count(p.Webhooks.Count, "webhook")}
	for i := range p.Webhooks.Rows[:min(len(p.Webhooks.Rows), maxSections)] {
		w := &p.Webhooks.Rows[i]
		s.Lines = append(s.Lines, fmt.Sprintf("%s: calls %d, changes %d, denials %d, failures %d",
			message.Escaped(w.Name()), w.Calls, w.Changes, w.Denials, w.FailedOpen+w.FailedClosed))
	}
	return append(all, s)
}
