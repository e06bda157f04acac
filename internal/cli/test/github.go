package test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"example.com/gatehouse/internal/manifest"
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
		a.print(annotation(r.Suite.File, report.PositionOf(r, f.Field).Line, caseName(r), shown(f.Text)))
	}
	if r.Err != nil {
		a.print(annotation(r.Suite.File, r.Case.At("").Line, caseName(r), shown(r.Err.Error())))
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
			out.Write(annotation(at.File, at.Line, title, line))
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

// annotation returns the workflow command for a line of a file. Standard input
// has no position in the repository.
func annotation(file string, line int, title, text string) []byte {
	at := ""
	if file != "" && file != manifest.StandardInput {
		at = fmt.Sprintf("file=%s,line=%d,", property(repositoryPath(file)), line)
	}
	return fmt.Appendf(nil, "::error %stitle=%s::%s\n", at, property(title), escapedMessage(text))
}

// escapedMessage and property escape texts in workflow commands, as the runner
// unescapes them.
func escapedMessage(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(withoutLegacy(text))
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapedMessage(text))
}

// repositoryPath returns a path relative to the root of the repository, with
// slashes. Outside of a workflow it is relative to the working directory.
func repositoryPath(path string) string {
	root, err := filepath.Abs(os.Getenv("GITHUB_WORKSPACE")) // if empty: the working directory
	whole, err2 := filepath.Abs(path)
	if errors.Join(err, err2) != nil {
		return filepath.ToSlash(path)
	}
	relative, err := filepath.Rel(root, whole)
	if err != nil || !filepath.IsLocal(relative) {
		relative = path
	}
	return filepath.ToSlash(relative)
}

// inert returns a line that is not a workflow command, whatever it quotes. The
// runner treats a line as one if it begins with "::" after any space, or, in
// the original syntax, if it contains "##[".
func inert(line string) string {
	line = withoutLegacy(line)
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(text, "::") {
		return line[:len(line)-len(text)] + ": " + text[1:]
	}
	return line
}

// withoutLegacy returns a text without workflow commands of the original
// syntax.
func withoutLegacy(text string) string { return strings.ReplaceAll(text, "##[", "## [") }

// inertError returns an error with the same lines, none of which is a workflow
// command.
func inertError(err error) error {
	var lines []error
	for line := range strings.SplitSeq(shownLines(err.Error()), "\n") {
		lines = append(lines, errors.New(inert(line)))
	}
	return errors.Join(lines...)
}
