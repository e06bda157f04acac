package wide

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"example.com/gatehouse/test/internal/soak/engine"
	"example.com/gatehouse/test/internal/soak/tally"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// hangs is when a request is taken for one that does not return.
const hangs = 2 * time.Minute

// often is how often the process is looked at, which takes some milliseconds
// with so many sockets.
const often = time.Second

// soak is a run.
type soak struct {
	Options
	plan    plan
	server  *server
	engine  *engine.Engine
	numbers atomic.Int64
	latency tally.Durations
	found   tally.Findings
}

// Run sends requests until the duration is over or ctx is done, waits for the
// requests under way and closes everything. An error means that the run could
// not start.
func Run(ctx context.Context, o Options) (*Result, error) {
	o = o.withDefaults()
	baseline := vitals.Baseline()
	s := &soak{Options: o, plan: plan{each: o.Webhooks}}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	start, recorder := time.Now(), vitals.Record(often)
	s.drive(ctx, start.Add(o.Duration))
	took := time.Since(start)
	recorder.Stop()
	s.engine.Close()
	if err := s.server.close(); err != nil {
		s.found.Add("closing the webhooks: %v", err)
	}
	left := vitals.Drained(context.WithoutCancel(ctx), baseline, o.drains)
	if left != nil {
		s.found.AddWhole("after Close, %v", left)
	}
	return s.result(took, baseline, recorder.Highest()), nil
}

func (s *soak) open(ctx context.Context) error {
	var err error
	if s.server, err = listen(context.WithoutCancel(ctx), s.plan, &s.found); err != nil {
		return err
	}
	if s.Options.act != nil {
		s.server.act = s.Options.act
	}
	s.engine, err = engine.Start(s.server.webhooks(), engine.Options{
		Services: func(string, string) string { return s.server.address() },
	})
	if err != nil {
		_ = s.server.close() // it had nothing to do yet
	}
	return err
}

// drive has all callers send requests until then, each of them at least one.
func (s *soak) drive(ctx context.Context, until time.Time) {
	var all sync.WaitGroup
	for range s.Callers {
		all.Go(func() {
			for first := true; ctx.Err() == nil && (first || time.Now().Before(until)); first = false {
				number := int(s.numbers.Add(1)) - 1
				if !engine.Returns(hangs, func() { s.send(context.WithoutCancel(ctx), number) }) {
					s.found.Add("request %d has not returned within %s", number, hangs)
					return
				}
			}
		})
	}
	all.Wait()
}
