package webhooktest

import (
	"errors"
	"testing"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/process"
)

// Run runs the suites in a file or folder, as `gatehouse test` does. Each suite
// is a subtest, with a subtest for each case, in parallel unless the suite or
// the options are Serial, or golden files are written. The options are those for
// endpoints; an option that names a webhook overrides the suites.
func Run(t *testing.T, path string, options ...Option) {
	t.Helper()
	o := optionsOf(options)
	for _, err := range []error{o.onlyEndpoints(), o.check()} {
		if err != nil {
			t.Fatal(errorText(err))
		}
	}
	suites, err := suite.Load([]string{path}, nil, suite.Anywhere)
	if err != nil {
		t.Fatalf("loading suites:\n%v", err)
	}
	if err := o.checkEndpoints(suites...); err != nil {
		t.Fatal(err)
	}
	for _, cases := range suites {
		t.Run(cases.Name, func(t *testing.T) {
			t.Helper()
			runSuite(t, cases, o)
		})
	}
}

// runSuite runs the cases of a suite.
func runSuite(t *testing.T, cases *suite.Suite, o *options) {
	t.Helper()
	s, err := start(t, cases, o)
	if err != nil {
		var p *process.Error
		if errors.As(err, &p) && p.Printed != "" {
			t.Logf("the command printed:\n%s", escapedLines(p.Printed))
		}
		t.Fatal(err)
	}
	for _, c := range cases.Cases {
		s.subtest(t, c.Name, func(t *testing.T) {
			t.Helper()
			report(t, s.environment.Run(t.Context(), c), "")
		})
	}
}
