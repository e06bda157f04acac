package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/process"
)

// New returns the report of results.
func New(results []*suite.SuiteResult) *Report {
	r := &Report{TypeMeta: metav1.TypeMeta{APIVersion: APIVersion, Kind: Kind}, Suites: []Suite{},
		Summary: Summarize(results)}
	for _, result := range results {
		r.Suites = append(r.Suites, suiteOf(result))
	}
	return r
}

// Summarize counts results.
func Summarize(results []*suite.SuiteResult) Summary {
	n := Summary{Suites: len(results)}
	for _, s := range results {
		n.Cases, n.NotRun = n.Cases+len(s.Results)+len(s.NotRun), n.NotRun+len(s.NotRun)
		for _, r := range s.Results {
			switch StatusOf(r) {
			case Passed:
				n.Passed++
			case Failed:
				n.Failed++
			case Error:
				n.Errors++
			case NotReached:
				n.NotReached++
			}
			if r.Golden != "" {
				n.Goldens++
			}
		}
	}
	return n
}

// StatusOf returns the status of a case.
func StatusOf(r *suite.Result) Status {
	switch {
	case r.NotReached():
		return NotReached
	case r.Err != nil:
		return Error
	case len(r.Failures) > 0:
		return Failed
	}
	return Passed
}

func suiteOf(r *suite.SuiteResult) Suite {
	s := Suite{
		Name:    r.Suite.Name,
		File:    r.Suite.File,
		Seconds: r.Elapsed.Seconds(),
		NotRun:  len(r.NotRun),
		Error:   text(r.Err),
		Printed: Printed(r),
		Cases:   []Case{},
	}
	for _, result := range r.Results {
		s.Cases = append(s.Cases, caseOf(result))
	}
	return s
}

func caseOf(r *suite.Result) Case {
	c := Case{
		Name:    r.Case.Name,
		Line:    r.Case.At("").Line,
		Status:  StatusOf(r),
		Seconds: r.Elapsed.Seconds(),
		Error:   text(r.Err),
		Golden:  r.Golden,
	}
	for _, f := range r.Failures {
		c.Failures = append(c.Failures, Failure{
			Field: f.Field,
			Line:  PositionOf(r, f.Field).Line,
			Path:  f.Path,
			Want:  f.Want,
			Got:   f.Got,
			Text:  f.Text,
		})
	}
	if !r.Passed() {
		c.Hints, c.Explanation = r.Hints, r.Explain()
	}
	return c
}

// PositionOf returns the position of an expectation, or of its nearest parent
// that is in the file.
func PositionOf(
	r *suite.Result,
	field string,
) manifest.Position {
	return r.Case.At("expect." + field)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Printed returns the end of the commands' output of a suite that did not pass,
// unescaped; "" if it passed.
func Printed(r *suite.SuiteResult) string {
	switch {
	case r.Passed():
		return ""
	case r.Printed != "":
		return r.Printed
	}
	return printedIn(r.Err)
}

// printedIn returns the output in the errors of commands that did not become
// ready.
func printedIn(err error) string {
	if p, ok := err.(*process.Error); ok {
		return p.Printed
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return printedIn(e.Unwrap())
	case interface{ Unwrap() []error }:
		var all string
		for _, one := range e.Unwrap() {
			all += printedIn(one)
		}
		return all
	}
	return ""
}
