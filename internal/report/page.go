package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
)

// Page is what a page shows that is not one of explanations. The script of the page knows
// the form of the data.
type Page struct {
	Title string
	// Summary is for browsers without scripts.
	Summary []Section
	// Data becomes JSON.
	Data any
}

// Section is a part of a summary. All texts are escaped.
type Section struct {
	Heading string
	// Text is a paragraph; empty if there is none.
	Text  string
	Lines []string
}

// WriteOutage writes the page of `gatehouse outage`: what happens to requests while
// backends are down. Package internal/cli/outage makes the data. The errors are those of
// WriteLint.
func WriteOutage(w io.Writer, p *Page) error { return p.write(w, outageFiles()) }

// WriteLint writes the page of `gatehouse lint`: its findings. Package internal/cli/lint
// makes the data. It returns the writer's error. If p is nil or its data cannot be
// encoded, it returns an error and writes nothing.
func WriteLint(w io.Writer, p *Page) error { return p.write(w, lintFiles()) }

// WriteDiff writes the page of `gatehouse diff`: what a change of files changes for
// requests. Package internal/cli/diff makes the data. The errors are those of WriteLint.
func WriteDiff(w io.Writer, p *Page) error { return p.write(w, diffFiles()) }

// WriteAudit writes the page of `gatehouse audit`: what audit logs say about webhooks.
// Package internal/cli/audit makes the data. The errors are those of WriteLint.
func WriteAudit(w io.Writer, p *Page) error { return p.write(w, auditFiles()) }

func (p *Page) write(w io.Writer, files pageFiles) error {
	if p == nil {
		return errors.New("the data of the page is nil")
	}
	page, err := files.renderData(p.Title, p.Summary, p.Data)
	if err != nil {
		return fmt.Errorf("cannot make the page %q: %w", p.Title, err)
	}
	if _, err := w.Write(page); err != nil {
		return fmt.Errorf("cannot write the page: %w", err)
	}
	return nil
}

// renderData returns a page with a title, a summary and data for its script.
func (f pageFiles) renderData(title string, summary []Section, data any) ([]byte, error) {
	// Marshal escapes <, >, &, U+2028 and U+2029, also in json.RawMessage: the
	// result can neither end the script element nor open a comment in it.
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	return f.render(pageData{Title: title, Data: template.JS(text), Summary: summary})
}
