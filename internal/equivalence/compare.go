package equivalence

import (
	"context"
	"errors"
	"time"

	"example.com/gatehouse/internal/equivalence/draw"
	"example.com/gatehouse/internal/offline/session"
)

// Side is one of the two that are compared.
type Side struct {
	// Name names the side in messages, such as "before".
	Name string
	// Options have the files of the side, as `gatehouse run` reads them. The
	// requests in the files are compared first: those of the first side. Compare
	// copies the options. Trace must be off, and there are no injected faults.
	Options *session.Options
}

// Options are the options of Compare. The zero value has the defaults.
type Options struct {
	// Requests is the maximum number of generated requests. The default is 5000.
	Requests int
	// Deadline bounds the search; the default is 5 s, and negative is none. Shrinking
	// comes after it, and is bounded by a number of requests.
	Deadline time.Duration
	// Seed selects the random requests. The same seed gives the same requests.
	Seed uint64
	// Aspects are the aspects to compare besides the verdict. The default is Object.
	Aspects []Aspect
	// Ready is called when the files of both sides have been read, before the first
	// request; may be nil.
	Ready func()
}

const (
	defaultRequests = 5000
	defaultDeadline = 5 * time.Second
	// shrinkRequests is the maximum number of requests to shrink a counterexample.
	shrinkRequests = 1500
)

func (o Options) withDefaults() Options {
	if o.Requests == 0 {
		o.Requests = defaultRequests
	}
	if o.Deadline == 0 {
		o.Deadline = defaultDeadline
	}
	if o.Aspects == nil {
		o.Aspects = []Aspect{Object}
	}
	return o
}

// Verdict is the result of a comparison.
type Verdict struct {
	// Given is the number of compared requests of the inputs, and Drawn the number of
	// compared generated requests. Both include the requests of SetAside.
	Given, Drawn int
	// Invalid is the number of generated requests that an API server would reject, and
	// Repeated the number of those that were generated before. Compare drops both.
	Invalid, Repeated int
	// Endpoints is the number of endpoints of the requests: a resource, a subresource
	// and an operation. Branches is the number of different ways in which the sides
	// decided, such as denials with different reasons. Allowed and Denied are the
	// numbers of requests that the first side allowed and denied.
	Endpoints, Branches, Allowed, Denied int
	// Unknown are the resources that rules name and for which Compare generated no
	// request, because the inputs do not have their CustomResourceDefinitions.
	Unknown []string
	// Interrupted is true if the context ended the search, and Late if the deadline
	// did.
	Interrupted, Late bool
	// Different is a request that the sides answer differently; nil if none was found.
	Different *Counterexample
	// Unstable is the first request that one side answers differently when it is sent
	// again, and SetAside the number of such requests.
	Unstable *Counterexample
	SetAside int
}

// Counterexample is a request with different answers.
type Counterexample struct {
	*draw.Case
	// Aspect is the first in which the answers differ.
	Aspect Aspect
	// Before and After are the answers of the two sides; of one side by itself, which
	// Side names, if it is not deterministic.
	Before, After *Answer
	Side          string
	// Names are those of the sides.
	Names [2]string
	// Given names the object if the request is one of the inputs; empty if Compare
	// generated it. Withheld is true if the request has a Secret, which must not be
	// printed: Compare does not shrink it.
	Given    string
	Withheld bool
	// Found is the number of fields, besides the required ones, that the request had
	// before it was shrunk, and Tried the number of requests that shrinking took.
	Found, Tried int
}

// Compare compares two sides. When ctx ends, it returns the result so far. The
// error is for a mistake in the options or the files of a side, or a webhook that was not
// reached.
func Compare(ctx context.Context, before, after Side, o Options) (*Verdict, error) {
	c, err := newComparison(before, after, o.withDefaults())
	if err != nil {
		return nil, err
	}
	defer c.close()
	if o.Ready != nil {
		o.Ready()
	}
	searching, cancel := ctx, context.CancelFunc(func() {})
	if c.options.Deadline > 0 {
		searching, cancel = context.WithTimeout(ctx, c.options.Deadline)
	}
	found, err := c.search(searching)
	cancel()
	v := &c.verdict
	switch {
	case err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case ctx.Err() != nil:
		v.Interrupted = true
	case err != nil:
		v.Late = true
	}
	if found != nil {
		v.Different = c.shrink(ctx, found)
	}
	return v, nil
}
