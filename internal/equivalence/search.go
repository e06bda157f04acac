package equivalence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/equivalence/draw"
	"example.com/gatehouse/internal/equivalence/mention"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/requests"
)

// comparison is the state of Compare.
type comparison struct {
	sides   [2]*side
	options Options
	verdict Verdict

	maker  *requests.Maker
	drawer *draw.Drawer
	// seen are the generated requests, and branches the trails of both sides.
	seen, branches map[string]bool
	endpoints      map[*draw.Endpoint]bool
	// seeds are cases with a branch that is new at their endpoint: turns has those.
	seeds []*draw.Case
	turns map[turn]bool
	// near are seeds that the sides answer equally for different reasons, and open those
	// that both allow: after a denial, there are no further evaluations.
	near, open []*draw.Case
}

// turn is a branch that was taken at an endpoint.
type turn struct {
	at     *draw.Endpoint
	branch string
}

func newComparison(before, after Side, o Options) (*comparison, error) {
	c := &comparison{
		options: o, seen: map[string]bool{}, branches: map[string]bool{},
		endpoints: map[*draw.Endpoint]bool{}, turns: map[turn]bool{},
	}
	var mentioned mention.Set
	var rules []registrationv1.RuleWithOperations
	var definitions []*apiextensionsv1.CustomResourceDefinition
	for i, s := range []Side{before, after} {
		opened, err := openSide(s)
		if err != nil {
			c.close()
			return nil, err
		}
		c.sides[i] = opened
		opened.mention(&mentioned)
		rules = append(rules, opened.rules()...)
		definitions = append(definitions, opened.Inputs().Definitions...)
	}
	err := c.check(rules)
	if err == nil {
		c.maker, err = c.sides[0].Maker()
	}
	if err != nil {
		c.close()
		return nil, err
	}
	c.drawer = draw.New(c.sides[0].Kinds(), definitions, rules, &mentioned)
	c.verdict.Unknown = c.drawer.Unknown()
	return c, nil
}

// check returns an error about inputs that cannot be compared.
func (c *comparison) check(rules []registrationv1.RuleWithOperations) error {
	if len(rules) == 0 {
		return &message.InputError{Err: errors.New("neither side has a webhook or a policy with rules")}
	}
	for i, s := range c.sides {
		other := c.sides[1-i]
		for _, crd := range s.Inputs().Definitions {
			if !slices.ContainsFunc(other.Inputs().Definitions,
				func(d *apiextensionsv1.CustomResourceDefinition) bool { return d.Name == crd.Name }) {
				return &message.InputError{Err: fmt.Errorf(
					"CustomResourceDefinition %q is among the files of %s only: both sides need it",
					crd.Name, s.name)}
			}
		}
	}
	return nil
}

func (c *comparison) close() {
	for _, s := range c.sides {
		if s != nil {
			s.Close()
		}
	}
}

// trial is a request and the answers to it.
type trial struct {
	c       *draw.Case
	made    *requests.Made
	answers [2]*Answer
	aspect  Aspect
	// given is true for a request of the inputs.
	given bool
}

// hasSecret reports whether the request is one of the inputs and has a Secret.
func (t *trial) hasSecret() bool { return t.given && t.made.Kind.Kind == "Secret" }

// search compares requests until one has different answers. It returns nil if none has,
// and an error if ctx ended it.
func (c *comparison) search(ctx context.Context) (*trial, error) {
	if found, err := c.searchGiven(ctx); found != nil || err != nil {
		return found, err
	}
	systematic, stop := iter.Pull(c.drawer.Systematic())
	defer stop()
	near, open := neighbours{drawer: c.drawer}, neighbours{drawer: c.drawer}
	defer near.stop()
	defer open.stop()
	random := rand.New(rand.NewPCG(c.options.Seed, 0))
	for i := 0; c.verdict.Drawn < c.options.Requests; i++ {
		// Every request may be a repeated or an invalid one. The product of Requests and 20
		// may overflow.
		if (c.verdict.Invalid+c.verdict.Repeated-1)/20 >= c.options.Requests {
			return nil, nil
		}
		near.of(c.near)
		open.of(c.open)
		var drawn *draw.Case
		switch i % 4 {
		case 0:
			drawn, _ = systematic()
		case 1, 2:
			if drawn = near.next(); drawn == nil {
				drawn = open.next()
			}
		}
		if drawn == nil {
			drawn = c.random(random)
		}
		found, err := c.compare(ctx, drawn)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// random returns a random case: of a seed, mostly.
func (c *comparison) random(r *rand.Rand) *draw.Case {
	if n := len(c.near); n > 0 && r.IntN(2) == 0 {
		return c.drawer.Random(r, c.near[r.IntN(n)])
	}
	if n := len(c.seeds); n > 0 && r.IntN(4) > 0 {
		return c.drawer.Random(r, c.seeds[r.IntN(n)])
	}
	return c.drawer.Random(r, nil)
}

// searchGiven compares the requests of the first side's inputs.
func (c *comparison) searchGiven(ctx context.Context) (*trial, error) {
	for made, err := range c.sides[0].Inputs().Requests() {
		if err != nil {
			return nil, &message.InputError{Err: err}
		}
		drawn, err := c.drawer.Of(made)
		if err != nil {
			return nil, err
		}
		c.verdict.Given++
		t := &trial{c: drawn, made: made, given: true}
		if found, err := c.try(ctx, t); found || err != nil {
			return t, err
		}
	}
	return nil, nil
}

// compare compares a generated case, if it is new and valid. It returns it if the
// answers differ.
func (c *comparison) compare(ctx context.Context, drawn *draw.Case) (*trial, error) {
	key := drawn.Key()
	if c.seen[key] {
		c.verdict.Repeated++
		return nil, ctx.Err()
	}
	c.seen[key] = true
	made := c.make(ctx, drawn)
	if made == nil {
		c.verdict.Invalid++
		return nil, ctx.Err()
	}
	t := &trial{c: drawn, made: made}
	found, err := c.try(ctx, t)
	if err != nil {
		return nil, err
	}
	c.verdict.Drawn++
	c.endpoints[drawn.Endpoint] = true
	c.verdict.Endpoints = len(c.endpoints)
	if t.answers[0].Response.Allowed {
		c.verdict.Allowed++
	} else {
		c.verdict.Denied++
	}
	if !found {
		return nil, nil
	}
	return t, nil
}

// make makes the request of a case; nil if an API server would reject it.
func (c *comparison) make(ctx context.Context, drawn *draw.Case) *requests.Made {
	if drawn.Valid() != nil {
		return nil
	}
	made, err := drawn.Make(c.maker)
	if err != nil || made == nil {
		return nil
	}
	if c.rejection(ctx, made.Request) != nil {
		return nil
	}
	return made
}

// rejection returns the error of an API server for the objects of a request, as far as
// package strategy has the rules; nil if there is none.
func (c *comparison) rejection(ctx context.Context, r *admission.Request) error {
	storage, ok := c.sides[0].Kinds().ObjectInterfaces().(simulate.Storage)
	if !ok || r.Operation == admissionv1.Connect {
		return nil
	}
	var before runtime.Object
	if r.OldObject != nil {
		before = r.OldObject.DeepCopyObject()
		created := *r
		created.Operation, created.Subresource = admissionv1.Create, ""
		if err := storage.Prepare(ctx, &created, before.DeepCopyObject(), nil); err != nil {
			return err
		}
	}
	if r.Object == nil {
		return nil
	}
	object := r.Object.DeepCopyObject()
	if err := storage.Decode(ctx, r, object, before); err != nil {
		return err
	}
	return storage.Prepare(ctx, r, object, before)
}

// try sends the request to both sides, and reports whether their answers differ. It
// returns false if the answers of one side differ when the request is sent again.
func (c *comparison) try(ctx context.Context, t *trial) (bool, error) {
	if err := c.ask(ctx, t); err != nil {
		return false, err
	}
	key := trail(t.answers[0].Response) + "|" + trail(t.answers[1].Response)
	isNew := !c.branches[key]
	c.branches[key] = true
	c.verdict.Branches = len(c.branches)
	if isNew && !t.hasSecret() {
		for _, a := range t.answers {
			a.teach(c.drawer)
		}
	}
	if at := (turn{t.c.Endpoint, key}); !c.turns[at] && !t.hasSecret() {
		c.turns[at] = true
		c.plant(t)
	}
	t.aspect = differ(t.answers[0], t.answers[1], c.options.Aspects)
	if t.aspect == "" && !isNew {
		return false, nil
	}
	unstable, err := c.unstable(ctx, t)
	if err != nil {
		return false, err
	}
	if unstable != nil {
		c.verdict.SetAside++
		c.verdict.Unstable = cmp.Or(c.verdict.Unstable, unstable)
		return false, nil
	}
	return t.aspect != "", nil
}

// plant keeps the case of a trial as a seed.
func (c *comparison) plant(t *trial) {
	before, after := t.answers[0].Response, t.answers[1].Response
	c.seeds = append(c.seeds, t.c)
	if failed(before) != failed(after) {
		c.near = append(c.near, t.c)
	} else if before.Allowed && t.c.Endpoint.Matched {
		c.open = append(c.open, t.c)
	}
}

// counterexample returns the trial as a counterexample.
func (t *trial) counterexample(aspect Aspect, before, after *Answer) *Counterexample {
	e := &Counterexample{
		Case: t.c, Aspect: aspect, Before: before, After: after, Found: t.c.Extra(),
		Withheld: t.hasSecret(),
	}
	if t.given {
		e.Given = t.answers[0].Reference()
	}
	return e
}

// ask sends the request to both sides at the same time.
func (c *comparison) ask(ctx context.Context, t *trial) error {
	var errs [2]error
	var other sync.WaitGroup
	ns := t.c.Namespace()
	other.Go(func() { t.answers[1], errs[1] = c.sides[1].ask(ctx, t.made, ns) })
	t.answers[0], errs[0] = c.sides[0].ask(ctx, t.made, ns)
	other.Wait()
	return errors.Join(errs[0], errs[1])
}

// again is how often a request is sent again, to find a side that is not deterministic.
const again = 3

// unstable sends the request to both sides again. It returns the answers of a side that
// differ; nil if there are none.
func (c *comparison) unstable(ctx context.Context, t *trial) (*Counterexample, error) {
	for range again {
		repeated := &trial{c: t.c, made: t.made}
		if err := c.ask(ctx, repeated); err != nil {
			return nil, err
		}
		for i, s := range c.sides {
			aspect := differ(t.answers[i], repeated.answers[i], c.options.Aspects)
			if aspect != "" {
				e := t.counterexample(aspect, t.answers[i], repeated.answers[i])
				e.Side, e.Names = s.name, [2]string{s.name, s.name + ", sent again"}
				return e, nil
			}
		}
	}
	return nil, nil
}
