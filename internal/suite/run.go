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

// Options say how suites are run. The zero value runs everything.
type Options struct {
	// Parallel is how many cases of a suite make their requests at a time. Default: as
	// many as there are processors to use.
	Parallel int
	// FailFast ends the run after the first case that does not pass.
	FailFast bool
	// Update has goldens written; see StageOptions. One case is run after the other then,
	// so that it is the same one each time that writes a file of several.
	Update bool
	// Select chooses cases, by the names of suite and case. Default: all.
	Select func(suite, name string) bool
	// Output receives what commands print; nil for nobody.
	Output io.Writer

	// Begin is told of each suite before its webhooks are started, and how many of its
	// cases will be run; See of each case, in order and as soon as all before it are done;
	// End of the end of each suite. They are called one at a time. Each may be nil.
	Begin func(s *Suite, cases int)
	See   func(*Result)
	End   func(*SuiteResult)

	goldens *golden.Update // of all suites
}

// Run runs suites one after the other. Those without a selected case are left out, and
// their webhooks are not started.
//
// The error is the end of ctx. The results say which cases were not run until then; webhooks
// have been stopped in any case.
func Run(ctx context.Context, suites []*Suite, o Options) ([]*SuiteResult, error) {
	o.goldens = &golden.Update{}
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

// Selected returns the cases that are chosen by the names of suite and case; all of them if
// choose is nil.
func (s *Suite) Selected(choose func(suite, name string) bool) []*Case {
	if choose == nil {
		return s.Cases
	}
	return slices.DeleteFunc(slices.Clone(s.Cases), func(c *Case) bool { return !choose(s.Name, c.Name) })
}

// run runs cases of a suite, none of which was run before.
func (o *Options) run(ctx context.Context, r *SuiteResult) {
	begin := time.Now()
	if o.Begin != nil {
		o.Begin(r.Suite, len(r.NotRun))
	}
	var stage *Stage
	if stage, r.Err = r.Suite.Start(ctx, o.stage()); r.Err == nil {
		o.runOn(ctx, stage, r)
		r.Err, r.Printed = stage.Close(), stage.Printed()
	}
	if ctx.Err() != nil && errors.Is(r.Err, ctx.Err()) {
		r.Err = nil // that is the whole run's, not the suite's
	}
	r.Elapsed = time.Since(begin)
	if o.End != nil {
		o.End(r)
	}
}

func (o *Options) stage() StageOptions {
	return StageOptions{Update: o.Update, Output: o.Output, goldens: o.goldens}
}

// runOn runs cases on a stage and shows them in order.
func (o *Options) runOn(ctx context.Context, stage *Stage, r *SuiteResult) {
	for result := range o.results(ctx, stage, r.NotRun) {
		if ctx.Err() != nil {
			return
		}
		r.Results, r.NotRun = append(r.Results, result), r.NotRun[1:]
		if o.See != nil {
			o.See(result)
		}
		if o.FailFast && !result.Passed() {
			return
		}
	}
}

// results are those of cases, in order. What is written for a case must not be for one that
// nobody hears of, so that with one worker none is run before it is asked for.
func (o *Options) results(ctx context.Context, stage *Stage, cases []*Case) iter.Seq[*Result] {
	workers := o.workers(stage.suite, len(cases))
	if workers > 1 {
		return ahead(workers, cases, func(c *Case) *Result { return stage.Run(ctx, c) })
	}
	return func(yield func(*Result) bool) {
		for _, c := range cases {
			if !yield(stage.Run(ctx, c)) {
				return
			}
		}
	}
}

// ahead runs several cases at a time, and those that are asked for later before they are.
func ahead(workers int, cases []*Case, run func(*Case) *Result) iter.Seq[*Result] {
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
		next.Store(int64(len(cases))) // nobody begins another
		group.Wait()
	}
}

// workers returns how many cases are run at a time.
func (o *Options) workers(s *Suite, cases int) int {
	if s.Serial() || o.Update {
		return 1
	}
	return min(cmp.Or(max(o.Parallel, 0), runtime.GOMAXPROCS(0)), cases)
}
