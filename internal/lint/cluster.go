package lint

import (
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/simulation"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
)

// Cluster is what rules examine. It does not change.
type Cluster struct {
	*inventory.Inventory
	// Matrix has the outcomes of the requests that a cluster depends on.
	Matrix *outage.Matrix
	// Needs are the requests that the backends need to start, and Cold what happens
	// after all were down; Deadlock is nil if all come up.
	Needs    []outage.Needs
	Cold     *outage.ColdStart
	Deadlock *outage.Deadlock
	// Now is the time by which certificates are judged.
	Now time.Time

	ctx       context.Context
	simulator *simulation.Simulator
	maker     *requests.Maker
	// err is the first error of Try.
	err error
}

// NewCluster runs the requests through the webhooks of an inventory. progress, if not
// nil, is called whenever one is done, from several goroutines.
func NewCluster(
	ctx context.Context, in *inventory.Inventory, now time.Time, progress func(),
) (*Cluster, error) {
	c := &Cluster{Inventory: in, Now: now, ctx: ctx}
	merger, err := merge.New(in.Kinds.ObjectInterfaces(), in.Cluster.Definitions...)
	if err != nil {
		return nil, err
	}
	c.maker = requests.New(in.Kinds, merger, requests.Settings{Namespace: "default"})
	if c.simulator, err = simulation.New(in); err != nil {
		return nil, err
	}
	all, err := critical.All()
	if err != nil {
		return nil, err
	}
	if c.Matrix, err = outage.NewMatrix(ctx, in, c.simulator, all, progress); err != nil {
		return nil, err
	}
	if c.Needs, err = outage.NeedsOf(in, c.maker); err != nil {
		return nil, err
	}
	if c.Cold, err = outage.NewColdStart(ctx, c.simulator, c.Needs); err != nil {
		return nil, err
	}
	c.Deadlock, err = outage.NewDeadlock(ctx, c.simulator, c.Needs, c.Cold)
	return c, err
}

// Refusals returns the requests of the matrix that select chooses and that are refused
// because w fails while its backend refuses connections.
func (c *Cluster) Refusals(w *inventory.Webhook, choose func(*critical.Request) bool) []Witness {
	if w.IgnoresFailures() {
		return nil
	}
	return c.witnesses(w, choose, simulation.Refusing, func(o *outage.Outcome) bool {
		return o.Effect == outage.Refused
	})
}

// Delays returns the requests that choose selects and that w delays by at least a time
// while its backend hangs, or that are refused then because their deadline is over.
func (c *Cluster) Delays(
	w *inventory.Webhook, least time.Duration, choose func(*critical.Request) bool,
) []Witness {
	return c.witnesses(w, choose, simulation.Hanging, func(o *outage.Outcome) bool {
		return o.TimedOut || o.Effect != outage.Refused && o.Elapsed >= least
	})
}

// witnesses returns the chosen requests with a bad outcome for which w is a reason.
func (c *Cluster) witnesses(
	w *inventory.Webhook, choose func(*critical.Request) bool, state simulation.State,
	bad func(*outage.Outcome) bool,
) []Witness {
	var all []Witness
	for i := range c.Matrix.Rows {
		row := &c.Matrix.Rows[i]
		if !choose(row.Request) || !slices.Contains(row.Reached, w.Backend) {
			continue
		}
		o := row.OutcomeOf(w.Backend, state)
		if bad(o) && o.Effect > row.Healthy.Effect && hasFailed(o, w.Webhook) {
			all = append(all, Witness{row.Request, simulation.Down{w.Backend: state}, o})
		}
	}
	return all
}

func hasFailed(o *outage.Outcome, w *admission.Webhook) bool {
	return slices.ContainsFunc(o.Failed, func(f *admission.Webhook) bool { return is(f, w) })
}

// Try makes a request and runs it while all backends are healthy. After an error it
// returns nil, and Run returns the error.
func (c *Cluster) Try(e critical.Entry) (*critical.Request, *simulation.Result) {
	if c.err != nil {
		return nil, nil
	}
	r, err := critical.Make(c.maker, e)
	var result *simulation.Result
	if err == nil {
		result, err = c.simulator.Run(c.ctx, r.Request, r.Deadline, nil)
	}
	c.err = err
	return r, result
}

// Replay runs a request while backends are down, as the matrix and the rules did. The
// result is the same, and has every call.
func (c *Cluster) Replay(r *critical.Request, down simulation.Down) (*simulation.Result, error) {
	return c.simulator.Run(c.ctx, r.Request, r.Deadline, down)
}

// Rows returns the requests of the matrix that w receives while all backends are
// healthy, or that choose selects among them if it is not nil.
func (c *Cluster) Rows(w *inventory.Webhook, choose func(*critical.Request) bool) []*outage.Row {
	var all []*outage.Row
	for i := range c.Matrix.Rows {
		row := &c.Matrix.Rows[i]
		if (choose == nil || choose(row.Request)) && Receives(row.Result, w) {
			all = append(all, row)
		}
	}
	return all
}

// Receives reports whether a webhook was called for a request.
func Receives(r *simulation.Result, w *inventory.Webhook) bool {
	return slices.ContainsFunc(r.Calls, func(c admission.Call) bool {
		return is(c.Webhook, w.Webhook)
	})
}

// MatchOf returns what matching says about a webhook and a request; nil if the request
// ended before.
func MatchOf(r *simulation.Result, w *inventory.Webhook) *admission.Match {
	i := slices.IndexFunc(r.Matches, func(m admission.Match) bool { return is(m.Webhook, w.Webhook) })
	if i < 0 {
		return nil
	}
	return &r.Matches[i]
}

func is(a, b *admission.Webhook) bool { return a.Phase == b.Phase && a.UID == b.UID }

// OrderMatters reports whether the result of a request depends on which of two mutating
// policies comes first. After an error it returns false, and Run returns the error.
func (c *Cluster) OrderMatters(r *critical.Request, a, b string) bool {
	there, back := c.inOrder(r, a, b), c.inOrder(r, b, a)
	return there != nil && back != nil && (there.Allowed() != back.Allowed() ||
		there.Allowed() && !equality.Semantic.DeepEqual(there.Object, back.Object))
}

// inOrder runs a request with two policies before all others.
func (c *Cluster) inOrder(r *critical.Request, names ...string) *simulation.Result {
	if c.err != nil {
		return nil
	}
	var result *simulation.Result
	s, err := c.simulator.Ordered(names)
	if err == nil {
		result, err = s.Run(c.ctx, r.Request, r.Deadline, nil)
	}
	c.err = err
	return result
}
