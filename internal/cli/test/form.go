package test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/report/github"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/report"
)

// form prints results.
type form interface {
	// see receives every result of a case, and end every suite that was
	// started.
	see(*suite.Result)
	end(*suite.SuiteResult)
	// finish receives all results, also after an interruption. The error is
	// about the output.
	finish(results []*suite.SuiteResult) error
}

// form returns the form of --output.
func (o *options) form(p *printer) form {
	lines := text{printer: p, verbose: o.verbose, explain: o.explain, guard: o.guard()}
	if o.format == textForm {
		lines.colors = o.colors
	}
	switch o.format {
	case flags.JSON:
		return &document{printer: p, encode: jsonOf}
	case junitForm:
		return &document{printer: p, encode: junitOf}
	case githubForm:
		return &annotated{text: lines}
	}
	return &lines
}

// guard returns the filter for each line of text.
func (o *options) guard() func(line string) string {
	if o.format == githubForm {
		return github.Inert
	}
	return func(line string) string { return line }
}

// printer prints results beside the progress. It cancels the run after a failed
// write.
type printer struct {
	out      io.Writer
	progress *progress
	cancel   context.CancelFunc
	err      error
}

func (p *printer) print(text []byte) {
	if p.err != nil || len(text) == 0 {
		return
	}
	if p.err = p.progress.Aside(p.out, text); p.err != nil {
		p.cancel()
	}
}

// document prints one document at the end.
type document struct {
	*printer
	encode func([]*suite.SuiteResult) ([]byte, error)
}

func (d *document) see(*suite.Result) {}

func (d *document) end(*suite.SuiteResult) {}

func (d *document) finish(results []*suite.SuiteResult) error {
	text, err := d.encode(results)
	if err != nil {
		return fmt.Errorf("printing the results: %w", err)
	}
	d.print(text)
	return d.err
}

func jsonOf(results []*suite.SuiteResult) ([]byte, error) {
	return command.Indented(report.New(results))
}

// live returns the writer for the output of commands; nil unless verbose.
func (o *options) live(p *progress) io.Writer {
	if !o.verbose {
		return nil
	}
	return &live{progress: p, out: o.stderr, guard: o.guard()}
}

// live prints each line after the name of the current suite.
type live struct {
	progress *progress
	out      io.Writer
	guard    func(line string) string
}

// Write writes a line.
func (l *live) Write(line []byte) (int, error) {
	text := l.guard(shown(l.progress.running()) + " | " + plain(string(line)))
	return len(line), l.progress.Aside(l.out, []byte(text+"\n"))
}

// plain returns a printed line of a command in a readable form.
func plain(line string) string {
	return shown(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    "))
}
