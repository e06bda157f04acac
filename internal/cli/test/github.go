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

// annotated shows results as text, and as workflow commands that have GitHub show them
// beside the lines of suites.
type annotated struct{ text }

// see shows a case, and annotates each failure.
func (a *annotated) see(r *suite.Result) {
	a.text.see(r)
	for _, f := range r.Failures {
		a.print(annotation(r.Suite.File, report.Place(r, f.Field).Line, caseName(r), shown(f.Text)))
	}
	if r.Err != nil {
		a.print(annotation(r.Suite.File, r.Case.At("").Line, caseName(r), shown(r.Err.Error())))
	}
}

// end shows a suite, and annotates the commands that could not be used.
func (a *annotated) end(r *suite.SuiteResult) {
	a.text.end(r)
	a.print(mistakes(r.Err, shown(r.Suite.Name), manifest.Position{File: r.Suite.File, Line: 1}))
}

// mistakes returns an annotation for each line of an error, at the place that it is about if
// that is known, and otherwise at another one.
func mistakes(err error, title string, otherwise manifest.Position) []byte {
	var out bytes.Buffer
	for _, one := range separate(err) {
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

// separate returns the errors that one was joined of, which each have lines of their own.
func separate(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	if lines := errors.Join(joined.Unwrap()...); lines == nil || lines.Error() != err.Error() {
		return []error{err} // which says more than they do
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, separate(one)...)
	}
	return all
}

// annotation returns the workflow command that says something about a line of a file. The
// repository does not have standard input.
func annotation(file string, line int, title, text string) []byte {
	place := ""
	if file != "" && file != manifest.StandardInput {
		place = fmt.Sprintf("file=%s,line=%d,", property(repositoryPath(file)), line)
	}
	return fmt.Appendf(nil, "::error %stitle=%s::%s\n", place, property(title), escapedMessage(text))
}

// escapedMessage and property escape texts in workflow commands, as the runner takes it back.
func escapedMessage(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(withoutOld(text))
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapedMessage(text))
}

// repositoryPath returns a path as GitHub knows files: from the root of the repository,
// with slashes. Outside of a workflow it is from the working directory.
func repositoryPath(path string) string {
	root, err := filepath.Abs(os.Getenv("GITHUB_WORKSPACE")) // of nothing: the working directory
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

// inert returns a line that is no workflow command, whatever it quotes. The runner takes for
// one what begins with "::" after any space, and also, as it did in its first version, what
// has "##[" anywhere.
func inert(line string) string {
	line = withoutOld(line)
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(text, "::") {
		return line[:len(line)-len(text)] + ": " + text[1:]
	}
	return line
}

// withoutOld returns a text without workflow commands in their first form.
func withoutOld(text string) string { return strings.ReplaceAll(text, "##[", "## [") }

// inertError returns an error with the same lines, none of which is a workflow command.
func inertError(err error) error {
	var lines []error
	for line := range strings.SplitSeq(shownLines(err.Error()), "\n") {
		lines = append(lines, errors.New(inert(line)))
	}
	return errors.Join(lines...)
}
