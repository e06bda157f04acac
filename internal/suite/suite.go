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

// Suite is a suite whose files have all been read and found good.
type Suite struct {
	// Name is how results call it, and File where it was read; "" if it was not read.
	Name, File string
	// Cases are in the order of the file. They are the Suite's.
	Cases []*Case
	// Remarks say what may not be what was meant, a line for each thing.
	Remarks []string

	from     *suitefile.Suite
	in       *cluster.Set
	kinds    *kinds.Registry
	merger   *merge.Merger
	webhooks []*admission.Webhook

	// entries say where webhooks are, and routes where conversion webhooks are, which are
	// often served with the others.
	entries []entry
	routes  resolve.Table
}

// Case is a request and what is expected of it.
type Case struct {
	Name string

	from    *suitefile.Case
	request *admission.Request
	written runtime.Object
	expect  *expect.Expectation
}

// At returns where a field of the case stands, such as "expect.message"; that of the case
// itself if it is "". It is zero for a case that was not read.
func (c *Case) At(field string) manifest.Position { return c.from.At(field) }

// New reads what a suite names and makes its requests. The error has one line for every
// mistake.
func New(from *suitefile.Suite) (*Suite, error) {
	s := &Suite{Name: from.Name, File: from.File, from: from, routes: resolve.Table{}}
	for _, step := range []func() error{s.readEntries, s.readCluster, s.find, s.addCases} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readCluster reads what the cluster is like.
func (s *Suite) readCluster() error {
	// Conversion webhooks are often where the others are. Those of commands do not run
	// yet, so that no request can be made with them.
	var ca []byte
	for _, e := range s.entries {
		if e.Name == "" {
			ca = e.ca
		}
	}
	s.kinds = cluster.NewKinds(s.routes, ca, true)
	var err error
	s.in, err = cluster.Read(&cluster.Files{
		Configs: s.from.Configs, Inline: s.from.Inline, Namespace: s.from.Namespace, Optional: true,
	}, s.kinds)
	if err != nil {
		return err
	}
	if err := s.remark(); err != nil {
		return err
	}
	s.merger, err = merge.New(s.kinds.ObjectInterfaces(), s.in.Definitions...)
	return err
}

// remark keeps what may not be what was meant. An object that says nothing about the cluster
// is none of the author's doing in a folder that holds all that is deployed, but is a mistake
// in the suite itself and in a file that it names.
func (s *Suite) remark() error {
	s.Remarks = s.in.Deprecations()
	var problems []error
	for _, stray := range s.in.Unused() {
		if suitefile.Is(stray.Document) {
			continue // suites stand beside what they test
		}
		err := stray.Wrap("kind", fmt.Errorf("kind: %s says nothing about the cluster: objects are for the requests of cases", stray.Kind.Kind))
		if slices.Contains(s.from.Inline, stray.Document) || slices.Contains(s.from.Configs, stray.File) {
			problems = append(problems, err)
		} else {
			s.Remarks = append(s.Remarks, err.Error())
		}
	}
	return errors.Join(problems...)
}

// addCases makes cases of those in the file.
func (s *Suite) addCases() error {
	var problems []error
	for i := range s.from.Cases {
		_, err := s.add(&s.from.Cases[i])
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// Add adds a case to a suite, as Make makes it. It must not be called from several
// goroutines at a time, nor while the suite is run.
func (s *Suite) Add(name string, request *manifest.Document, e suitefile.Expect) (*Case, error) {
	return s.add(&suitefile.Case{Name: name, Request: request, Expect: e})
}

// Make makes a case for a stage of the suite; it is none of the suite's Cases. The request
// is an AdmissionRequest, an AdmissionReview, or an object to create. The error has one
// line for every mistake. Make may be called from many goroutines.
func (s *Suite) Make(name string, request *manifest.Document, e suitefile.Expect) (*Case, error) {
	return s.make(&suitefile.Case{Name: name, Request: request, Expect: e})
}

// Webhooks returns all webhooks of the suite, in no particular order. They are not to be
// changed.
func (s *Suite) Webhooks() []*admission.Webhook { return s.webhooks }

// Serial reports whether one case is to be run after the other.
func (s *Suite) Serial() bool { return s.from.Serial }

func (s *Suite) add(from *suitefile.Case) (*Case, error) {
	c, err := s.make(from)
	if err == nil {
		s.Cases = append(s.Cases, c)
	}
	return c, err
}

// make makes a case and compiles what is expected.
func (s *Suite) make(from *suitefile.Case) (*Case, error) {
	c := &Case{Name: from.Name, from: from}
	problems := []error{s.makeRequest(c)}
	from.Expect.Check(func(field string, err error) {
		problems = append(problems, from.Wrap("expect."+field, err))
	})
	var err error
	c.expect, err = expect.Compile(&from.Expect, s.webhooks)
	problems = append(problems, mistakes(from, err)...)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return c, nil
}

// mistakes says where each mistake is that an error is made of.
func mistakes(c *suitefile.Case, err error) []error {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		var all []error
		for _, one := range several.Unwrap() {
			all = append(all, mistakes(c, one)...)
		}
		return all
	}
	var m *expect.Mistake
	if errors.As(err, &m) {
		return []error{c.Wrap("expect."+m.Field, m.Err)}
	}
	return []error{c.Wrap("expect", err)}
}

// makeRequest makes the request of a case. Every case has a maker of its own: none updates
// the object of another.
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
	c.request, c.written = made[0], maker.Written(made[0])
	return nil
}

// settings are those of requests that say nothing else.
func (s *Suite) settings() requests.Settings {
	user := s.from.User
	if user == nil {
		user = requests.UserFor(requests.DefaultUser, "", nil)
	}
	return requests.Settings{Namespace: s.from.Namespace, By: request.By{User: *user, DryRun: s.from.DryRun}}
}
