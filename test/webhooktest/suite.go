package webhooktest

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Suite is a cluster with webhooks, to which tests make requests. Make one with
// New.
type Suite struct {
	cases       *suite.Suite
	environment *suite.Environment
	serial      bool
}

// Case is a request with its expectations. All fields are required.
type Case struct {
	// Name is the name of the subtest, unique in the table.
	Name    string
	Request Request
	Want    Want
}

// New makes a suite, which lasts until the end of the test. The options have to
// name at least one webhook configuration.
func New(tb testing.TB, options ...Option) *Suite {
	tb.Helper()
	s, err := newSuite(tb, options)
	if err != nil {
		tb.Fatal("making the suite: " + errorText(err))
	}
	return s
}

func newSuite(tb testing.TB, all []Option) (*Suite, error) {
	tb.Helper()
	o := optionsOf(all)
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(o.described) == 0 {
		return nil, errors.New("it has no webhooks: Files or Objects are missing")
	}
	from := o.cluster
	from.Name, from.Namespace, from.Serial = tb.Name(), corev1.NamespaceDefault, o.serial
	cases, err := suite.New(&from, suite.Anywhere)
	if err != nil {
		return nil, err
	}
	if err := o.checkEndpoints(cases); err != nil {
		return nil, err
	}
	return start(tb, cases, o)
}

// start starts the webhooks of a suite until the end of the test.
func start(tb testing.TB, cases *suite.Suite, o *options) (*Suite, error) {
	tb.Helper()
	env, err := cases.Start(tb.Context(), o.environment(cases))
	if err != nil {
		return nil, fmt.Errorf("starting the webhooks: %w", err)
	}
	for _, remark := range cases.Remarks {
		tb.Log(remark)
	}
	tb.Cleanup(func() {
		if err := env.Close(); err != nil {
			tb.Errorf("stopping the webhooks: %s", errorText(err))
		}
		if printed := env.Printed(); printed != "" && tb.Failed() {
			tb.Logf("the webhooks printed:\n%s", escapedLines(printed))
		}
	})
	serial := o.serial || o.goldens != nil || cases.Serial()
	return &Suite{cases: cases, environment: env, serial: serial}, nil
}

// Run runs cases as subtests: in parallel, so that they end after the calling
// test function, unless the suite is Serial.
func (s *Suite) Run(t *testing.T, cases ...Case) {
	t.Helper()
	names := map[string]bool{}
	for i, c := range cases {
		switch {
		case c.Name == "":
			t.Errorf("%s: case %d has no name", c.at(), i)
		case names[c.Name]:
			t.Errorf("%s: there is a case %q already", c.at(), c.Name)
		default:
			names[c.Name] = true
			s.subtest(t, c.Name, func(t *testing.T) {
				t.Helper()
				s.runCase(t, &c)
			})
		}
	}
}

// subtest runs a subtest, in parallel unless the suite is serial.
func (s *Suite) subtest(t *testing.T, name string, run func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		if !s.serial {
			t.Parallel()
		}
		run(t)
	})
}

// at returns the position of the case in the test.
func (c *Case) at() string {
	if c.Request.at == "" {
		return c.Want.at
	}
	return c.Request.at
}

func (s *Suite) runCase(t *testing.T, c *Case) {
	t.Helper()
	made, err := s.prepare(c)
	if err != nil {
		t.Fatalf("%s: %s", c.at(), errorText(err))
	}
	report(t, s.environment.Run(t.Context(), made), c.Want.at)
}

// prepare makes the case of package suite.
func (s *Suite) prepare(c *Case) (*suite.Case, error) {
	if c.Want.at == "" {
		return nil, errors.New("nothing is wanted: Want is missing, such as Allowed()")
	}
	request, err := c.Request.document()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(c.Want.problems...); err != nil {
		return nil, err
	}
	made, err := s.cases.Make(c.Name, request, c.Want.expect)
	if err != nil {
		// The error names fields of a file. Without expectations it is about
		// the request.
		_, unmade := s.cases.Make(c.Name, request, suitefile.Expect{})
		return nil, errors.Join(unmade, c.Want.mistakes(s.cases))
	}
	return made, nil
}

// Do makes a request and returns the response without any expectation.
func (s *Suite) Do(tb testing.TB, r Request) *admission.Response {
	tb.Helper()
	request, err := r.document()
	if err != nil {
		tb.Fatalf("%s: %s", r.at, errorText(err))
	}
	made, err := s.cases.Make(tb.Name(), request, suitefile.Expect{})
	if err != nil {
		tb.Fatalf("%s: %s", r.at, errorText(err))
	}
	result := s.environment.Run(tb.Context(), made)
	if result.Err != nil {
		tb.Fatalf("%s: %s", r.at, errorText(result.Err))
	}
	return result.Response
}
