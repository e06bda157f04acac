package whatif

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/whatif/changes"
)

// Options are the inputs of Run.
type Options struct {
	// Before and After are the sets.
	Before, After *changes.Set
	// Build returns engines.
	Build Builder
	// Entries are the requests. An error ends the comparison.
	Entries iter.Seq2[*corpus.Entry, error]
	// Repeat admits a request with differences a second time by both sets, because
	// webhooks may give different answers to equal requests.
	Repeat bool
	// Parallel is the number of requests that are admitted at a time; at least 1.
	Parallel int
	// Progress is called after each request; may be nil.
	Progress func()
}

// Run compares two sets. If ctx ends, the report is Incomplete and has the results so
// far. The errors are those of the sets, and of the entries.
func Run(ctx context.Context, o *Options) (*Report, error) {
	c, err := newComparer(o)
	if err != nil {
		return nil, err
	}
	defer c.close()
	a := newAssembly(c)
	defer a.finder.close()
	err = c.run(ctx, a.add)
	report := a.report()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		report.Incomplete, err = true, nil
	}
	return report, err
}

// Admit returns the outcome of one request in both sets.
func Admit(ctx context.Context, o *Options, e *corpus.Entry) (before, after *Outcome, err error) {
	c, err := newComparer(o)
	if err != nil {
		return nil, nil, err
	}
	defer c.close()
	if before, err = c.before.Admit(ctx, e); err != nil {
		return nil, nil, err
	}
	after, err = c.after.Admit(ctx, c.naming.entry(e))
	return before, after, err
}

// comparer admits requests by both sets.
type comparer struct {
	*Options
	comparison    *changes.Comparison
	before, after Engine
	naming        *naming
}

func newComparer(o *Options) (*comparer, error) {
	c := &comparer{Options: o, comparison: changes.Compare(o.Before, o.After)}
	c.naming = newNaming(c.comparison.Changes, nil)
	var err error
	if c.before, err = o.Build(o.Before.Documents()); err != nil {
		return nil, err
	}
	if c.after, err = o.Build(o.After.Documents()); err != nil {
		c.before.Close()
		return nil, err
	}
	return c, nil
}

func (c *comparer) close() {
	c.before.Close()
	c.after.Close()
}

// run calls add with each visit in the order of the entries.
func (c *comparer) run(ctx context.Context, add func(context.Context, *visit) error) error {
	running, cancel := context.WithCancel(ctx)
	queue := make(chan *visit, max(1, c.Parallel)-1)
	var all sync.WaitGroup
	all.Go(func() {
		defer close(queue)
		c.start(running, queue, &all)
	})
	defer all.Wait()
	defer cancel()
	for v := range queue {
		<-v.done
		if err := cmp.Or(ctx.Err(), v.err); err != nil {
			return err
		}
		if err := add(ctx, v); err != nil {
			return err
		}
		if c.Progress != nil {
			c.Progress()
		}
	}
	return ctx.Err()
}

// start starts a visit of each entry when there is room in the queue.
func (c *comparer) start(ctx context.Context, queue chan<- *visit, all *sync.WaitGroup) {
	for e, err := range c.Entries {
		v := &visit{entry: e, err: err, done: make(chan struct{})}
		select {
		case queue <- v:
		case <-ctx.Done():
			return
		}
		if err != nil {
			close(v.done)
			return
		}
		all.Go(func() {
			defer close(v.done)
			v.err = c.visit(ctx, v)
		})
	}
}

// visit admits a request by both sets.
func (c *comparer) visit(ctx context.Context, v *visit) error {
	var err error
	if v.before, err = c.before.Admit(ctx, v.entry); err != nil {
		return err
	}
	renamed := c.naming.entry(v.entry)
	if v.after, err = c.after.Admit(ctx, renamed); err != nil {
		return err
	}
	v.items = Compare(v.before.Result, c.naming.result(v.after.Result))
	if len(v.items) == 0 {
		return nil
	}
	if len(c.comparison.Changes) == 0 {
		v.self, v.items = v.items, nil
		return nil
	}
	if c.Repeat {
		if err := c.repeat(ctx, v, renamed); err != nil {
			return err
		}
	}
	explainItems(v.items, v.before, v.after, c.naming)
	hideSecret(v.entry.Review, v.items)
	return nil
}

// repeat finds the differences between two runs of one set, and removes them from those
// of the visit.
func (c *comparer) repeat(ctx context.Context, v *visit, renamed *corpus.Entry) error {
	before, err := c.before.Admit(ctx, v.entry)
	if err != nil {
		return err
	}
	after, err := c.after.Admit(ctx, renamed)
	if err != nil {
		return err
	}
	v.self = slices.Concat(Compare(v.before.Result, before.Result),
		Compare(c.naming.result(v.after.Result), c.naming.result(after.Result)))
	v.items = without(v.items, v.self)
	return nil
}
