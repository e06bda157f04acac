package outage

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/simulation"
)

// States are those of a backend that is down.
var States = []simulation.State{simulation.Refusing, simulation.Hanging}

// Matrix has the outcome of every request in every outage.
type Matrix struct {
	// Backends are all backends, by name.
	Backends []inventory.Backend
	// Rows are the requests, in the order of the caller.
	Rows []Row
}

// Row has the outcomes of a request.
type Row struct {
	Request *critical.Request
	// Result is what happens without an outage, and Healthy its outcome: a policy may
	// refuse the request.
	Result  *simulation.Result
	Healthy *Outcome
	// Reached are the backends that the request reaches.
	Reached []inventory.Backend
	// Alone has the outcome when one of the Reached is down, for each of States.
	Alone map[inventory.Backend][]*Outcome
	// Together are pairs that are worse together than each alone.
	Together []Pair
	// Worst is the outcome when all backends hang.
	Worst *Outcome
}

// Pair are two backends that are in the same state.
type Pair struct {
	Backends [2]inventory.Backend
	State    simulation.State
	Outcome  *Outcome
}

// OutcomeOf returns the outcome of a row when a backend is in a state.
func (r *Row) OutcomeOf(b inventory.Backend, s simulation.State) *Outcome {
	outcomes, ok := r.Alone[b]
	if !ok {
		return r.Healthy
	}
	return outcomes[slices.Index(States, s)]
}

// NewMatrix runs the requests, with as many at a time as there are processors.
// progress, if not nil, is called with the number of requests that are done, from
// several goroutines.
func NewMatrix(
	ctx context.Context, in *inventory.Inventory, s *simulation.Simulator,
	requests []*critical.Request, progress func(),
) (*Matrix, error) {
	m := &Matrix{Backends: backends(in), Rows: make([]Row, len(requests))}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range requests {
		group.Go(func() error {
			row, err := newRow(ctx, s, r)
			m.Rows[i] = row
			if progress != nil {
				progress()
			}
			return err
		})
	}
	return m, group.Wait()
}

// backends returns the backends of the webhooks, by name.
func backends(in *inventory.Inventory) []inventory.Backend {
	var all []inventory.Backend
	for _, w := range in.Webhooks {
		all = append(all, w.Backend)
	}
	sortByName(all)
	return slices.Compact(all)
}

// runner runs one request during outages. It keeps the first error.
type runner struct {
	ctx     context.Context
	s       *simulation.Simulator
	request *critical.Request
	err     error
}

func (r *runner) run(down simulation.Down) *simulation.Result {
	if r.err != nil {
		return nil
	}
	result, err := r.s.Run(r.ctx, r.request.Request, r.request.Deadline, down)
	r.err = err
	return result
}

func (r *runner) outcome(down simulation.Down) *Outcome {
	result := r.run(down)
	if result == nil {
		return &Outcome{}
	}
	return OutcomeOf(result)
}

func newRow(ctx context.Context, s *simulation.Simulator, r *critical.Request) (Row, error) {
	runs := &runner{ctx: ctx, s: s, request: r}
	row := Row{Request: r, Alone: map[inventory.Backend][]*Outcome{}}
	healthy := runs.run(nil)
	if runs.err != nil {
		return row, runs.err
	}
	row.Result, row.Healthy, row.Reached = healthy, OutcomeOf(healthy), reached(healthy.Calls)
	for _, b := range row.Reached {
		for _, state := range States {
			row.Alone[b] = append(row.Alone[b], runs.outcome(simulation.Down{b: state}))
		}
	}
	row.addPairs(runs)
	row.Worst = row.worst(runs)
	return row, runs.err
}

// reached returns the backends of calls, by name. A healthy webhook changes nothing,
// so during an outage the request reaches no others.
func reached(calls []admission.Call) []inventory.Backend {
	var all []inventory.Backend
	for i := range calls {
		if b := inventory.BackendOf(calls[i].Webhook); !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	sortByName(all)
	return all
}

func sortByName(all []inventory.Backend) {
	slices.SortFunc(all, func(a, b inventory.Backend) int {
		return cmp.Compare(a.String(), b.String())
	})
}

// addPairs adds the pairs that are worse together. Two that refuse connections never
// are: no time passes.
func (r *Row) addPairs(runs *runner) {
	for i, a := range r.Reached {
		for _, b := range r.Reached[i+1:] {
			one, other := r.OutcomeOf(a, simulation.Hanging), r.OutcomeOf(b, simulation.Hanging)
			if one.TimedOut || other.TimedOut || !r.mutates(a) && !r.mutates(b) {
				continue // nothing is worse, or both are called at the same time
			}
			both := runs.outcome(simulation.Down{a: simulation.Hanging, b: simulation.Hanging})
			if both.worseThan(one) && both.worseThan(other) {
				r.Together = append(r.Together, Pair{[2]inventory.Backend{a, b}, simulation.Hanging, both})
			}
		}
	}
}

// mutates reports whether a mutating webhook of a backend receives the request.
func (r *Row) mutates(b inventory.Backend) bool {
	return slices.ContainsFunc(r.Result.Calls, func(c admission.Call) bool {
		return c.Webhook.Phase == admission.Mutating && inventory.BackendOf(c.Webhook) == b
	})
}

// worst returns the outcome when all backends hang. Only those that the request reaches
// matter.
func (r *Row) worst(runs *runner) *Outcome {
	switch len(r.Reached) {
	case 0:
		return r.Healthy
	case 1:
		return r.OutcomeOf(r.Reached[0], simulation.Hanging)
	}
	down := simulation.Down{}
	for _, b := range r.Reached {
		down[b] = simulation.Hanging
	}
	return runs.outcome(down)
}
