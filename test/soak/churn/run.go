package churn

import (
	"context"
	"errors"
	"time"

	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/test/soak/backend"
	"example.com/gatehouse/test/soak/vitals"
)

// Run soaks an engine until the duration is over or the context ends.
func Run(ctx context.Context, o Options) (*Result, error) {
	return run(ctx, o, func(*dispatcher.Config) {})
}

func run(ctx context.Context, o Options, spoil func(*dispatcher.Config)) (*Result, error) {
	o = o.withDefaults()
	w, err := newWorld()
	if err != nil {
		return nil, err
	}
	result, err := w.soak(ctx, o, spoil)
	return result, errors.Join(err, w.backend.Close())
}

// soak runs an engine in the world.
func (w *world) soak(ctx context.Context, o Options, spoil func(*dispatcher.Config)) (*Result, error) {
	r := &Result{options: o, world: w}
	informed, stopInformers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopInformers()
	writer := newWriter(w, o.Seed, &r.findings)
	writer.putAll()
	w.follow(informed)
	cache.WaitForCacheSync(informed.Done(), w.mutating.informer.HasSynced, w.validating.informer.HasSynced)
	baseline := vitals.Take()

	e, err := newEngine(w, spoil)
	if err != nil {
		return nil, err
	}
	writer.settle(informed)
	c := &callers{world: w, engine: e, findings: &r.findings}
	recorder := vitals.Record(time.Second)
	soaking, stop := context.WithTimeout(ctx, o.Duration)
	defer stop()
	written := make(chan struct{})
	go func() {
		defer close(written)
		writer.run(soaking, o.Cycle)
	}()
	started := time.Now()
	c.run(soaking, o.Callers)
	r.took = time.Since(started)
	<-written
	recorder.Stop()
	r.addUp(c, writer, recorder)
	time.Sleep(backend.LetsGo)
	e.close()
	if r.drained = vitals.Drained(informed, baseline, afterClose); r.drained != nil {
		r.findings.Add("%v after Close: %v", afterClose, r.drained)
	}
	return r, nil
}

// afterClose is how long after it is closed an engine may still have something.
const afterClose = time.Second
