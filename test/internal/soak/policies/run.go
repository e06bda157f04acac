package policies

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"example.com/gatehouse/test/internal/soak/tally"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// Options say how a run is to be.
type Options struct {
	// Duration is how long callers call. The default is a minute.
	Duration time.Duration
	// Policies is how many there are. The default is 1,000.
	Policies int
	// Callers is how many there are. The default is 16.
	Callers int
	// Seed determines which policies are written and called.
	Seed uint64
}

func (o Options) withDefaults() Options {
	if o.Duration <= 0 {
		o.Duration = time.Minute
	}
	if o.Policies <= 0 {
		o.Policies = 1000
	}
	if o.Callers <= 0 {
		o.Callers = 16
	}
	return o
}

// drains is how long what a run leaves behind may take to end.
const drains = 10 * time.Second

// Result is what a run did.
type Result struct {
	options  Options
	took     time.Duration
	calls    tally.Durations
	writes   atomic.Int64
	bySort   map[string]*atomic.Int64
	findings tally.Findings
	highest  vitals.Sample
	left     error
}

// Run soaks an evaluator until the duration is over or the context ends.
func Run(ctx context.Context, o Options) (*Result, error) {
	o = o.withDefaults()
	r := &Result{options: o, bySort: map[string]*atomic.Int64{}}
	for _, sort := range sorts {
		r.bySort[sort] = &atomic.Int64{}
	}
	baseline := vitals.Baseline()
	w, err := newWorld(o.Policies)
	if err != nil {
		return nil, err
	}
	r.underWay(ctx, w)
	w.close()
	r.left = vitals.Drained(context.WithoutCancel(ctx), baseline, drains)
	return r, nil
}

// underWay has callers call and a writer write.
func (r *Result) underWay(ctx context.Context, w *world) {
	ctx, stop := context.WithTimeout(ctx, r.options.Duration)
	defer stop()
	requests := context.WithoutCancel(ctx) // the last ones end as all others
	recorder := vitals.Record(time.Second)
	began := time.Now()
	var running sync.WaitGroup
	running.Go(func() {
		random := rand.New(rand.NewPCG(r.options.Seed, 0))
		for ctx.Err() == nil {
			w.write(w.slots[random.IntN(len(w.slots))])
			r.writes.Add(1)
			pause(ctx, time.Duration(random.IntN(10))*time.Millisecond)
		}
	})
	for caller := range r.options.Callers {
		running.Go(func() {
			random := rand.New(rand.NewPCG(r.options.Seed, uint64(caller)+1))
			for ctx.Err() == nil {
				r.call(requests, w, w.slots[random.IntN(len(w.slots))])
			}
		})
	}
	running.Wait()
	r.took = time.Since(began)
	recorder.Stop()
	r.highest = recorder.Highest()
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Violations returns what was not as promised.
func (r *Result) Violations() []string {
	all := r.findings.Texts()
	if r.left != nil {
		all = append(all, fmt.Sprintf("after the end, %v", r.left))
	}
	return all
}

// Print writes the figures.
func (r *Result) Print(w io.Writer) {
	_, _ = fmt.Fprintf(w, "policies         %d, written %d times\n", r.options.Policies, r.writes.Load())
	_, _ = fmt.Fprintf(w, "requests         %d in %s, by %d callers\n",
		r.calls.Count(), r.took.Round(time.Second), r.options.Callers)
	for _, sort := range sorts {
		_, _ = fmt.Fprintf(w, "  %-14s %d\n", sort, r.bySort[sort].Load())
	}
	_, _ = fmt.Fprintf(w, "p50, p99.9, most %s, %s, %s\n",
		r.calls.Quantile(0.5), r.calls.Quantile(0.999), r.calls.Longest())
	_, _ = fmt.Fprintf(w, "highest          %s\n", r.highest)
	_, _ = fmt.Fprintf(w, "violations       %d\n", len(r.Violations()))
}
