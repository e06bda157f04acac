package bombs

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/engine"
	"example.com/gatehouse/test/internal/soak/request"
	"example.com/gatehouse/test/internal/soak/tally"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// soak is a run.
type soak struct {
	Options
	engine *engine.Engine
	rows   []*row
	found  tally.Findings
}

// row is a bomb and how its calls ended.
type row struct {
	bomb
	ends [ends]atomic.Int64
	took tally.Durations
}

const (
	// often is how often the process is looked at.
	often = 100 * time.Millisecond
	// drains is the time for detached goroutines to end: the work of each is
	// bounded, but there may be many.
	drains = 2 * time.Minute
)

// Run sends requests to bombs until the duration is over or ctx is done, waits
// for the requests under way and closes everything. An error means that the run
// could not start.
func Run(ctx context.Context, o Options) (*Result, error) {
	s := &soak{Options: o.withDefaults()}
	servers, err := start()
	if err != nil {
		return nil, err
	}
	if o.endpoints != nil {
		o.endpoints(servers.endpoints)
	}
	// The process is another one, but what talks to it is here.
	baseline := vitals.Baseline()
	configurations := s.webhooks(servers.endpoints)
	if s.engine, err = engine.Start(configurations, engine.Options{Wrap: o.wrap}); err != nil {
		_, _ = servers.close()
		return nil, err
	}
	begun, recorder := time.Now(), vitals.Record(often)
	s.alone(ctx)
	s.drive(ctx, begun.Add(s.Duration))
	s.judgeOthers()
	took := time.Since(begun)
	recorder.Stop()
	s.engine.Close()
	left := vitals.Drained(context.WithoutCancel(ctx), baseline, drains)
	if left != nil {
		s.found.AddWhole("after Close, %v", left)
	}
	peak, err := servers.close()
	if err != nil {
		s.found.Add("%v", err)
	}
	return s.result(took, recorder.Highest(), peak), nil
}

// labelled is the label by which an object chooses its bomb.
const labelled = "bomb"

// webhooks returns a webhook for each bomb in each phase.
func (s *soak) webhooks(endpoints map[string]endpoint) []runtime.Object {
	mutating, validating := engine.Mutating("bombs"), engine.Validating("bombs")
	for _, b := range bombs() {
		s.rows = append(s.rows, &row{bomb: b})
		at := endpoints[b.fault]
		w := engine.Webhook{
			Name: b.webhook(), Timeout: s.Timeout, Selector: map[string]string{labelled: b.fault},
			Reach: registrationv1.WebhookClientConfig{URL: &at.URL, CABundle: at.Bundle},
		}
		mutating.Webhooks = append(mutating.Webhooks, w.Mutating())
		validating.Webhooks = append(validating.Webhooks, w.Validating())
	}
	return []runtime.Object{mutating, validating}
}

// alone calls every bomb once in each phase, one after the other. Memory and
// time suffice then, so each call must end with its bomb's error. It stops at
// the first finding.
func (s *soak) alone(ctx context.Context) {
	for number, r := range s.rows {
		for _, phase := range phases() {
			if ctx.Err() != nil || s.found.Count() > 0 {
				return
			}
			before := r.ends[own].Load()
			if s.throw(ctx, r, phase, number) && r.ends[own].Load() == before {
				s.found.Add("%s, %s: a request that was alone did not come to its own end", r.fault, phase)
			}
		}
	}
}

// judgeOthers requires that at least half of all calls end with their bomb's
// error. The others may end because memory or time, which all bombs share, run
// out; if most did, the run would not test the bombs.
func (s *soak) judgeOthers() {
	var all, others int64
	for _, r := range s.rows {
		others += r.ends[budget].Load() + r.ends[expired].Load()
		all += int64(r.took.Count())
	}
	if 2*others > all {
		s.found.AddWhole(
			"%d of %d calls ended because of the budget or their time, which is more than half", others, all)
	}
}

func phases() [2]admission.Phase {
	return [...]admission.Phase{admission.Mutating, admission.Validating}
}

// drive has all callers go through all bombs until then, each from another one
// on and with at least one request.
func (s *soak) drive(ctx context.Context, until time.Time) {
	var all sync.WaitGroup
	for caller := range s.Callers {
		all.Go(func() {
			for i := 0; ctx.Err() == nil && (i == 0 || time.Now().Before(until)); i++ {
				phase := phases()[(caller+i)/len(s.rows)%2]
				if !s.throw(ctx, s.rows[(caller+i)%len(s.rows)], phase, caller+i) {
					return
				}
			}
		})
	}
	all.Wait()
}

// throw makes a request, and reports whether it has returned.
func (s *soak) throw(ctx context.Context, r *row, phase admission.Phase, number int) bool {
	// Ten times as long is not late any more, it is for ever.
	const forever = 10
	returned := engine.Returns(forever*(s.timeout()+s.Late),
		func() { s.send(context.WithoutCancel(ctx), r, phase, number) })
	if !returned {
		s.found.Add("%s, %s: a request does not return", r.fault, phase)
	}
	return returned
}

func (s *soak) send(ctx context.Context, r *row, phase admission.Phase, number int) {
	a, interfaces := request.Either(number, map[string]string{labelled: r.fault})
	start := time.Now()
	err := s.engine.Enter(ctx, phase, a, interfaces)
	took := time.Since(start)
	r.took.Add(took)
	how := r.judge(phase, err)
	r.ends[how].Add(1)
	if how == unexpected {
		s.found.Add("%s, %s: a request ended with %v", r.fault, phase, err)
	}
	if took > s.timeout()+s.Late {
		s.found.Add("%s, %s: a request returned after %s, its timeout is %s", r.fault, phase,
			took.Round(time.Millisecond), s.timeout())
	}
	// A few more than the webhook's are the engine's.
	const most = 64 + 3
	if n := len(a.Annotations()); n > most {
		s.found.Add("%s, %s: %d audit annotations were added", r.fault, phase, n)
	}
}
