package suite

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/gatehouse/internal/suite/golden"
)

// Options configure a run. The zero value runs everything.
type Options struct {
	// Parallel is the number of cases of a suite that run concurrently, by
	// default GOMAXPROCS.
	Parallel int
	// FailFast stops after the first case that does not pass.
	FailFast bool
	// Update writes golden files; see EnvironmentOptions. Cases run
	// sequentially then, so that always the same case writes a shared file.
	Update bool
	// Select chooses cases by the names of suite and case, by default all.
	Select func(suite, name string) bool
	// Output receives the output of commands; nil discards it.
	Output io.Writer

	// Begin is called before the webhooks of a suite start, with the number of
	// selected cases; Done for each case, in order and as soon as all earlier
	// cases are done; End after each suite. Calls do not overlap. Each may be
	// nil.
	Begin func(s *Suite, cases int)
	Done  func(*Result)
	End   func(*SuiteResult)

	goldens *golden.Update // shared by all suites; nil without Update
}

// Run runs suites one after the other. It skips suites without a selected case,
// and does not start their webhooks.
//
// The error is the end of ctx. The results then list the cases that did not
// run; webhooks have been stopped in any case.
func Run(ctx context.Context, suites []*Suite, o Options) ([]*SuiteResult, error) {
	if o.Update {
		o.goldens = &golden.Update{}
	}
	var all []*SuiteResult
	failed := false
	for _, s := range suites {
		cases := s.Selected(o.Select)
		if len(cases) == 0 {
			continue
		}
		r := &SuiteResult{Suite: s, NotRun: cases}
		if ctx.Err() == nil && !(failed && o.FailFast) {
			o.run(ctx, r)
		}
		all = append(all, r)
		failed = failed || !r.Passed()
	}
	return all, ctx.Err()
}

// Selected returns the cases that choose accepts; all of them if it is nil.
func (s *Suite) Selected(choose func(suite, name string) bool) []*Case {
	if choose == nil {
		return s.Cases
	}
	return slices.DeleteFunc(slices.Clone(s.Cases),
		func(c *Case) bool { return !choose(s.Name, c.Name) })
}

// run runs the cases of a suite.
func (o *Options) run(ctx context.Context, r *SuiteResult) {
	begin := time.Now()
	if o.Begin != nil {
		o.Begin(r.Suite, len(r.NotRun))
	}
	var env *Environment
	if env, r.Err = r.Suite.Start(ctx, o.environment()); r.Err == nil {
		o.runOn(ctx, env, r)
		r.Err, r.Printed = env.Close(), env.Printed()
	}
	if ctx.Err() != nil && errors.Is(r.Err, ctx.Err()) {
		r.Err = nil // Run returns it
	}
	r.Elapsed = time.Since(begin)
	if o.End != nil {
		o.End(r)
	}
}

func (o *Options) environment() EnvironmentOptions {
	return EnvironmentOptions{Update: o.goldens, Output: o.Output}
}

// runOn runs cases in an environment and reports them in order.
func (o *Options) runOn(ctx context.Context, env *Environment, r *SuiteResult) {
	for result := range o.results(ctx, env, r.NotRun) {
		if ctx.Err() != nil {
			return
		}
		r.Results, r.NotRun = append(r.Results, result), r.NotRun[1:]
		if o.Done != nil {
			o.Done(result)
		}
		if o.FailFast && !result.Passed() {
			return
		}
	}
}

// results yields the results of cases in order. A single worker runs a case
// only when its result is requested: a case that is not reported must not write
// a golden file.
func (o *Options) results(ctx context.Context, env *Environment, cases []*Case) iter.Seq[*Result] {
	workers := o.workers(env.suite, len(cases))
	if workers > 1 {
		return runAhead(workers, cases, func(c *Case) *Result { return env.Run(ctx, c) })
	}
	return func(yield func(*Result) bool) {
		for _, c := range cases {
			if !yield(env.Run(ctx, c)) {
				return
			}
		}
	}
}

// runAhead runs several cases concurrently and yields their results in order.
func runAhead(workers int, cases []*Case, run func(*Case) *Result) iter.Seq[*Result] {
	return func(yield func(*Result) bool) {
		done := make([]chan *Result, len(cases))
		for i := range done {
			done[i] = make(chan *Result, 1)
		}
		var next atomic.Int64
		var group sync.WaitGroup
		for range workers {
			group.Go(func() {
				for i := next.Add(1) - 1; i < int64(len(cases)); i = next.Add(1) - 1 {
					done[i] <- run(cases[i])
				}
			})
		}
		for i := range done {
			if !yield(<-done[i]) {
				break
			}
		}
		next.Store(int64(len(cases))) // no worker starts another case
		group.Wait()
	}
}

// workers returns the number of concurrent cases.
func (o *Options) workers(s *Suite, cases int) int {
	if s.Serial() || o.Update {
		return 1
	}
	return min(cmp.Or(max(o.Parallel, 0), runtime.GOMAXPROCS(0)), cases)
}
