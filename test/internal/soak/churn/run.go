package churn

import (
	"context"
	"sync"
	"time"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/test/internal/soak/backend"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// Run soaks an engine until the duration is over or the context ends.
func Run(ctx context.Context, o Options) (*Result, error) {
	return run(ctx, o, func(*dispatcher.Config) {})
}

// run is Run with an engine that may be spoiled.
func run(ctx context.Context, o Options, spoil func(*dispatcher.Config)) (*Result, error) {
	o = o.withDefaults()
	w, err := newWorld()
	if err != nil {
		return nil, err
	}
	r := &Result{options: o, world: w}
	err = w.soak(ctx, r, spoil)
	if err := w.backend.Close(); err != nil {
		r.findings.Add("closing the webhooks: %v", err)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// soak runs an engine in the world.
func (w *world) soak(ctx context.Context, r *Result, spoil func(*dispatcher.Config)) error {
	whole := context.WithoutCancel(ctx)
	writer := newWriter(w, r.options.Seed, &r.findings)
	writer.putAll()
	defer w.follow(whole)()
	baseline := vitals.Baseline()
	e, err := newSubject(w, spoil)
	if err != nil {
		return err
	}
	w.rests.disconnect = e.disconnect
	writer.waitDelivered(whole)
	writer.changes.Store(0)
	c := &callers{world: w, engine: e, findings: &r.findings, patience: patience}
	if r.options.raced {
		c.patience = racedPatience
	}
	r.underWay(ctx, c, writer)
	time.Sleep(backend.LetsGo)
	if err := e.close(); err != nil {
		r.findings.Add("closing the engine: %v", err)
	}
	r.left = vitals.Drained(whole, baseline, r.options.drains)
	return nil
}

// underWay has callers call and the writer write, for as long as the run is to
// last.
func (r *Result) underWay(ctx context.Context, c *callers, w *writer) {
	ctx, stop := context.WithTimeout(ctx, r.options.Duration)
	defer stop()
	recorder := vitals.Record(time.Second)
	began := time.Now()
	r.world.rests.began, r.world.rests.sometimesLong = began, r.options.Duration >= judged
	var writing sync.WaitGroup
	writing.Go(func() { w.run(ctx, r.options.Cycle) })
	c.run(ctx, r.options.Callers, func() bool { return r.options.enough(c, w) })
	stop()
	r.took = time.Since(began)
	writing.Wait()
	recorder.Stop()
	r.addUp(c, w, recorder.Highest())
}
