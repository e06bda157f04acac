package churn

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/test/internal/soak/engine"
	"example.com/gatehouse/test/internal/soak/model"
	"example.com/gatehouse/test/internal/soak/request"
	"example.com/gatehouse/test/internal/soak/tally"
)

// callers take requests through an engine.
type callers struct {
	world    *world
	engine   *subject
	findings *tally.Findings
	patience time.Duration
	// begun is the number of requests that were begun.
	begun atomic.Int64
	// ended counts those that have ended, certain the phases in which there was
	// one state only that was allowed.
	ended, certain atomic.Int64
	// lost counts calls that the webhooks' server has not read.
	lost atomic.Int64
}

// patience is how long a request may take: as long as kube-apiserver gives one,
// and longer under the race detector, which slows everything down.
const (
	patience      = 34 * time.Second
	racedPatience = 10 * patience
)

// run has so many callers call until the context ends or it is enough. Requests that are
// under way then go on to their end.
func (c *callers) run(ctx context.Context, callers int, enough func() bool) {
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for ctx.Err() == nil && !enough() && c.next(context.WithoutCancel(ctx)) {
			}
		})
	}
	group.Wait()
}

// next makes the next request, and reports whether it came to an end.
func (c *callers) next(ctx context.Context) bool {
	r, ended := model.RequestAt(c.begun.Add(1)), false
	c.world.rests.during(func() {
		ended = engine.Returns(2*c.patience, func() { c.request(ctx, r) })
	})
	if !ended {
		c.findings.Add("request %d (%s, fault %q) has not come to an end after %v", r.Number, r.Resource,
			r.Fault, 2*c.patience)
	}
	return ended
}

// request takes a request through both phases, as an API server does.
func (c *callers) request(ctx context.Context, r model.Request) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	attributes, objects := r.Make()
	if c.phase(ctx, c.world.mutating, c.engine.mutate, r, attributes, objects) {
		c.phase(ctx, c.world.validating, c.engine.Validating().Validate, r, attributes, objects)
	}
	c.ended.Add(1)
}

type admit func(context.Context, apiadmission.Attributes, apiadmission.ObjectInterfaces) error

// phase takes a request through a phase, checks what becomes of it and reports
// whether it was allowed.
func (c *callers) phase(
	ctx context.Context, k *kind, admit admit, r model.Request, a *request.Attributes,
	o apiadmission.ObjectInterfaces,
) bool {
	before := len(a.Annotations())
	var used connections
	configurations, namespaces := k.history.Open(), c.world.namespaces.history.Open()
	err := admit(used.observe(ctx), a, o)
	allowed := model.Allowed{Configurations: configurations.Close(), Namespaces: namespaces.Close()}
	seen := model.Observed{Annotations: a.Annotations()[before:], Err: err, Shape: model.Shape(a)}
	if k == c.world.mutating {
		seen.Labels = a.Labels()
	}
	if allowed.Certain(r) {
		c.certain.Add(1)
	}
	lost := used.count(c.world.backend.GaveUp)
	c.lost.Add(lost)
	c.check(k, r, model.Observe(seen), allowed, int(lost), err)
	return err == nil
}

// check compares an outcome with what the states allow if so many calls are
// lost, and counts the calls.
func (c *callers) check(
	k *kind, r model.Request, seen model.Outcome, states model.Allowed, lost int, err error,
) {
	explanation, predicted, ok := states.Explain(k.phase, r, seen, lost)
	if ok {
		k.calls.add(explanation)
		return
	}
	line := seen.String()
	last := ""
	if len(predicted) > 0 {
		last = predicted[len(predicted)-1]
	}
	c.findings.Add("%v request %d (%s %s, fault %q) became\n    %s\n  (error: %v), "+
		"which none of %d states allows; the last has\n    %s",
		k.phase, r.Number, r.Operation, r.Resource, r.Fault, difference(line, last), err,
		len(states.Configurations), difference(last, line))
}

// difference returns what a line has around the place where it differs from
// another.
func difference(line, other string) string {
	const before, most = 100, 350
	n := 0
	for n < min(len(line), len(other)) && line[n] == other[n] {
		n++
	}
	part := line[max(0, n-before):]
	return part[:min(len(part), most)]
}

// ledger is what the calls of one phase have come to.
type ledger struct {
	mu     sync.Mutex
	counts model.Counts
	met    map[model.Kinds]int64
}

func (l *ledger) add(e model.Explanation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Add(e.Counts)
	if l.met == nil {
		l.met = map[model.Kinds]int64{}
	}
	l.met[e.Kinds]++
}

// of returns in how many requests a kind has occurred.
func (l *ledger) of(kind model.Kinds) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	var n int64
	for kinds, times := range l.met {
		if kinds&kind != 0 {
			n += times
		}
	}
	return n
}

func (l *ledger) faulty() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts.Faulty
}
