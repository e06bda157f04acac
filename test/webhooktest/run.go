package webhooktest

import (
	"errors"
	"testing"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/process"
)

// Run runs the suites in a file or folder, as `gatehouse test` does: each is a subtest by
// its name, and so is each of its cases, in parallel unless the suite or the options say
// Serial. The options are those that say how webhooks are reached; one that names a webhook
// comes before what the suites say of it.
func Run(t *testing.T, path string, options ...Option) {
	t.Helper()
	o := optionsOf(options)
	for _, err := range []error{o.onlyWays(), o.check()} {
		if err != nil {
			t.Fatal(errorText(err))
		}
	}
	suites, err := suite.Load([]string{path}, nil)
	if err != nil {
		t.Fatalf("loading suites:\n%v", err)
	}
	if err := o.checkWays(suites...); err != nil {
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
			t.Logf("the command printed:\n%s", lines(p.Printed))
		}
		t.Fatal(err)
	}
	for _, c := range cases.Cases {
		s.subtest(t, c.Name, func(t *testing.T) {
			t.Helper()
			report(t, s.stage.Run(t.Context(), c), "")
		})
	}
}
