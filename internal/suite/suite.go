package suite

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Suite is a validated suite with all its files read.
type Suite struct {
	// Name identifies the suite in results; File is the file it was read from,
	// or empty.
	Name, File string
	// Cases are in the order of the file. The Suite owns them.
	Cases []*Case
	// Remarks are warnings about possible mistakes, one line each.
	Remarks []string

	from     *suitefile.Suite
	in       *cluster.Set
	kinds    *kinds.Registry
	merger   *merge.Merger
	webhooks []*admission.Webhook

	// entries are the endpoints of webhooks.
	entries []entry
	// dialer connects to conversion webhooks. Its routes are the endpoints of
	// webhooks, because the same server often serves both.
	dialer *resolve.Dialer
}

// An Option changes how a suite is made.
type Option func(*Suite)

// Anywhere allows connections to webhooks on other machines; see
// resolve.Dialer. Endpoints may be on any machine.
func Anywhere(s *Suite) { s.dialer.Anywhere = true }

// Case is a request with its expectations.
type Case struct {
	Name string

	from    *suitefile.Case
	request *admission.Request
	written runtime.Object
	expect  *expect.Expectation
}

// At returns the position of a field of the case, such as "expect.message";
// that of the case for "". It is zero for a case that was not read from a file.
func (c *Case) At(field string) manifest.Position { return c.from.At(field) }

// New reads the files that a suite names and makes its requests. The error has
// one line for every mistake.
func New(from *suitefile.Suite, options ...Option) (*Suite, error) {
	s := &Suite{
		Name: from.Name, File: from.File, from: from,
		dialer: &resolve.Dialer{Routes: resolve.Table{}},
	}
	for _, option := range options {
		option(s)
	}
	for _, step := range []func() error{s.readCAFiles, s.readCluster, s.findWebhooks, s.addCases} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readCluster reads the state of the cluster.
func (s *Suite) readCluster() error {
	// A conversion webhook is often served with the others. Those of commands
	// do not run yet, so that requests that need them cannot be made.
	var ca []byte
	for _, e := range s.entries {
		if e.Name == "" {
			ca = e.ca
		}
	}
	s.kinds = cluster.NewKinds(s.dialer, ca, true)
	var err error
	s.in, err = cluster.Read(&cluster.Files{
		Configs: s.from.Configs, Inline: s.from.Inline, Namespace: s.from.Namespace, Optional: true,
		Recursive: s.from.Recursive,
	}, s.kinds)
	if err != nil {
		return err
	}
	defer s.in.Close()
	if err := s.collectRemarks(); err != nil {
		return err
	}
	s.merger, err = merge.New(s.kinds.ObjectInterfaces(), s.in.Definitions...)
	return err
}

// collectRemarks collects remarks. An object that does not describe the cluster
// is a mistake if the suite contains it or names its file. A folder may hold
// everything that is deployed, and gets a remark if nothing in it describes the
// cluster.
func (s *Suite) collectRemarks() error {
	s.Remarks = slices.Concat(s.in.Deprecations(), s.in.Pointless())
	var problems []error
	for _, stray := range s.in.Unused() {
		if slices.Contains(s.from.Inline, stray) || slices.Contains(s.from.Configs, stray.File) {
			problems = append(problems, stray.Wrap("kind", fmt.Errorf(
				"kind: %s does not describe the cluster: put objects to admit into the requests of cases", stray.Kind.Kind)))
		}
	}
	return errors.Join(problems...)
}

// addCases makes the cases of the file.
func (s *Suite) addCases() error {
	var problems []error
	for i := range s.from.Cases {
		c, err := s.make(&s.from.Cases[i])
		s.Cases, problems = append(s.Cases, c), append(problems, err)
	}
	return errors.Join(problems...)
}

// Make makes a case for an environment of the suite without adding it to Cases.
// The request is an AdmissionRequest, an AdmissionReview, or an object to
// create. The error has one line for every mistake. Make is safe for concurrent
// use.
func (s *Suite) Make(name string, request *manifest.Document, e suitefile.Expect) (*Case, error) {
	return s.make(&suitefile.Case{Name: name, Request: request, Expect: e})
}

// Webhooks returns all webhooks of the suite, unordered and read-only.
func (s *Suite) Webhooks() []*admission.Webhook { return s.webhooks }

// Compile checks and compiles expectations. wrong receives each mistake, with the field
// as in "webhooks[0].times".
func (s *Suite) Compile(
	e *suitefile.Expect, wrong func(field string, err error),
) *expect.Expectation {
	e.Check(wrong)
	return expect.Compile(e, s.webhooks, s.in.Policies, wrong)
}

// Serial reports whether cases run sequentially.
func (s *Suite) Serial() bool { return s.from.Serial }

// make makes a case and compiles its expectations.
func (s *Suite) make(from *suitefile.Case) (*Case, error) {
	c := &Case{Name: from.Name, from: from}
	problems := []error{s.makeRequest(c)}
	wrong := func(field string, err error) { problems = append(problems, from.Wrap("expect."+field, err)) }
	c.expect = s.Compile(&from.Expect, wrong)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return c, nil
}

// makeRequest makes the request of a case. Each case has its own maker, so that
// no case updates the object of another.
func (s *Suite) makeRequest(c *Case) error {
	source := requests.Source{Document: c.from.Request}
	if !requestfile.Is(source.Kind) {
		var err error
		if source.Object, err = s.kinds.Decode(source.Document); err != nil {
			return err
		}
	}
	maker := requests.New(s.kinds, s.merger, s.settings())
	made, err := maker.Make([]requests.Source{source}, nil)
	if err != nil {
		return err
	}
	c.request, c.written = made[0].Request, made[0].Written
	return nil
}

// settings returns the defaults of requests.
func (s *Suite) settings() requests.Settings {
	user := s.from.User
	if user == nil {
		user = requests.UserFor(requests.DefaultUser, "", nil)
	}
	return requests.Settings{Namespace: s.from.Namespace,
		By: request.By{User: *user, DryRun: s.from.DryRun}}
}
