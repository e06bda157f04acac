package test

import (
	"bytes"
	"errors"
	"strings"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/report/github"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/report"
)

// annotated prints results as text, and as workflow commands with which GitHub
// shows them beside the lines of suites.
type annotated struct{ text }

// see prints a case, and annotates each failure.
func (a *annotated) see(r *suite.Result) {
	a.text.see(r)
	for _, f := range r.Failures {
		a.print(github.Annotation(github.Error, r.Suite.File, report.PositionOf(r, f.Field).Line,
			caseName(r), shown(f.Text)))
	}
	if r.Err != nil {
		a.print(github.Annotation(github.Error, r.Suite.File, r.Case.At("").Line, caseName(r), shown(r.Err.Error())))
	}
}

// end prints a suite, and annotates the errors of its webhooks.
func (a *annotated) end(r *suite.SuiteResult) {
	a.text.end(r)
	a.print(annotations(r.Err, shown(r.Suite.Name), manifest.Position{File: r.Suite.File, Line: 1}))
}

// annotations returns an annotation for each line of an error, at its position,
// or if that is unknown at otherwise.
func annotations(err error, title string, otherwise manifest.Position) []byte {
	var out bytes.Buffer
	for _, one := range splitErrors(err) {
		at, known := manifest.PositionOf(one)
		if !known {
			at = otherwise
		}
		for line := range strings.SplitSeq(shownLines(one.Error()), "\n") {
			out.Write(github.Annotation(github.Error, at.File, at.Line, title, line))
		}
	}
	return out.Bytes()
}

// splitErrors splits a joined error.
func splitErrors(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	if lines := errors.Join(joined.Unwrap()...); lines == nil || lines.Error() != err.Error() {
		return []error{err} // its text has more than theirs
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, splitErrors(one)...)
	}
	return all
}

// inertError returns an error with the same lines, none of which is a workflow
// command.
func inertError(err error) error {
	var lines []error
	for line := range strings.SplitSeq(shownLines(err.Error()), "\n") {
		lines = append(lines, errors.New(github.Inert(line)))
	}
	return errors.Join(lines...)
}
