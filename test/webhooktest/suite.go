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

// Suite is a cluster with webhooks, to which requests can be made. Make one with New.
type Suite struct {
	cases  *suite.Suite
	stage  *suite.Stage
	serial bool
}

// Case is a request and what is wanted of it. All of it is required.
type Case struct {
	// Name is that of the subtest, unique in the table.
	Name    string
	Request Request
	Want    Want
}

// New makes a suite, which is there until the end of the test. The options have to name at
// least one webhook configuration.
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
	cases, err := suite.New(&from)
	if err != nil {
		return nil, err
	}
	if err := o.checkWays(cases); err != nil {
		return nil, err
	}
	return start(tb, cases, o)
}

// start puts a suite on a stage until the end of the test.
func start(tb testing.TB, cases *suite.Suite, o *options) (*Suite, error) {
	tb.Helper()
	stage, err := cases.Start(tb.Context(), o.stage(cases))
	if err != nil {
		return nil, fmt.Errorf("starting the webhooks: %w", err)
	}
	for _, remark := range cases.Remarks {
		tb.Log(remark)
	}
	tb.Cleanup(func() {
		if err := stage.Close(); err != nil {
			tb.Errorf("stopping the webhooks: %s", errorText(err))
		}
		if printed := stage.Printed(); printed != "" && tb.Failed() {
			tb.Logf("the webhooks printed:\n%s", lines(printed))
		}
	})
	return &Suite{cases: cases, stage: stage, serial: o.serial || cases.Serial()}, nil
}

// Run runs cases as subtests, each by its name: in parallel, so that they are over when the
// test itself is, unless the suite is Serial.
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

// subtest runs a subtest, in parallel if the suite allows for it.
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

// at returns where the case stands in the test, as far as that is known.
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
	report(t, s.stage.Run(t.Context(), made), c.Want.at)
}

// prepare makes a case of the engine.
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
		// It speaks of the fields of a file. Without expectations it is about the request.
		_, unmade := s.cases.Make(c.Name, request, suitefile.Expect{})
		return nil, errors.Join(unmade, c.Want.mistakes(s.cases.Webhooks()))
	}
	return made, nil
}

// Do makes a request and returns what came of it. Nothing is expected, not even that the
// request is admitted.
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
	result := s.stage.Run(tb.Context(), made)
	if result.Err != nil {
		tb.Fatalf("%s: %s", r.at, errorText(result.Err))
	}
	return result.Response
}
