package collector

import (
	"context"
	"slices"
	"sync"
	"time"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/engine/guard"
)

// Config configures a Collector.
type Config struct {
	// Done receives each response, and owns it. The Collector calls it on the
	// goroutine of the request or of another one, which waits for it, and on
	// several goroutines at the same time. The Collector recovers its panics.
	// Required.
	Done func(*admission.Response)
	// MaxRequests is the maximum number of requests that the Collector collects
	// at the same time. If there are more, it ends the oldest that is between
	// its phases early, or else does not collect the new one. The default is
	// 1,000, more than the requests in flight that kube-apiserver admits.
	MaxRequests int
	// OnlyCalled skips requests that were allowed without a call of a webhook
	// or an evaluation of a policy, and the cost of copying their objects after
	// each phase. The default is false.
	OnlyCalled bool
	// MaxBytes is the maximum size of the responses and objects in the traces
	// of a request. A call that would exceed it is recorded without a trace.
	// The default is 16 MiB.
	MaxBytes int
}

// Collector is an observer that collects the records of each request. Use New
// to create one.
//
// It joins the two phases of a request by their attributes, or, where an API
// server makes new attributes for the validating phase, by the RequestInfo in
// their context, which k8s.io/apiserver's handlers put there. If neither joins
// two phases, each becomes a response.
//
// A response ends with the validating phase or with a denial. If the context of
// the request ends before either, the API server ended the request, or an
// attempt at it, between the phases: it rejected the object, or repeated an
// update because the stored object had changed. Such a response is not Allowed
// and has no Status. Each attempt is a separate response.
//
// Response.Warnings are the warnings of the webhooks, which the server may cut
// (S-301).
type Collector struct {
	config Config

	mu sync.Mutex
	// open are the requests that have not ended, in the order of their begin.
	open    []*gathering
	dropped int64
}

var _ dispatcher.PolicyObserver = (*Collector)(nil)

// New returns a Collector. It panics if config.Done is nil.
func New(config Config) *Collector {
	if config.Done == nil {
		panic("collector: Config.Done is required")
	}
	if config.MaxRequests <= 0 {
		config.MaxRequests = 1000
	}
	if config.MaxBytes <= 0 {
		config.MaxBytes = 16 << 20
	}
	return &Collector{config: config}
}

// Dropped returns the number of runs of a phase that were not collected because
// there were too many requests.
func (c *Collector) Dropped() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dropped
}

// RecordMatch receives the matches of runs that are not collected.
func (c *Collector) RecordMatch(context.Context, *admission.Match) {}

// RecordCall receives the calls of runs that are not collected.
func (c *Collector) RecordCall(context.Context, *admission.Call) {}

// BeginPhase implements dispatcher.PhaseObserver.
func (c *Collector) BeginPhase(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces,
) dispatcher.PhaseRecorder {
	return c.beginPhase(ctx, &phaseRecorder{c: c, phase: phase, attributes: a, objects: o})
}

// BeginPolicies implements dispatcher.PolicyObserver.
func (c *Collector) BeginPolicies(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces,
) dispatcher.PhaseRecorder {
	return c.beginPhase(ctx,
		&phaseRecorder{c: c, phase: phase, policies: true, attributes: a, objects: o})
}

func (c *Collector) beginPhase(ctx context.Context, p *phaseRecorder) dispatcher.PhaseRecorder {
	a := p.attributes
	key := newKey(ctx, a)
	// The first round of a mutating plugin may begin a request. All later plugins and
	// rounds continue one.
	first := p.phase == admission.Mutating && !a.GetReinvocationContext().IsReinvoke()
	p.gathering = c.resume(key, first)
	if p.gathering == nil {
		p.gathering = c.begin(ctx, key, newRequest(a, p.objects))
	}
	if p.gathering == nil {
		return nil
	}
	return p
}

// resume returns the open request to which the run of a plugin belongs; nil if there
// is none. first says that it is the first round of a mutating plugin. Such a run
// continues a request only if the policies have just run for the same attributes:
// it is then the webhooks' first round. Otherwise it belongs to a new request.
func (c *Collector) resume(k key, first bool) *gathering {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, same := range []func(key, key) bool{key.sameAttributes, key.sameRequest} {
		for _, g := range slices.Backward(c.open) {
			if !g.running && same(g.key, k) && (!first || g.policies) {
				g.running, g.policies = true, false
				return g
			}
		}
		if first {
			return nil
		}
	}
	return nil
}

// begin adds a request; it returns nil if there are too many.
func (c *Collector) begin(ctx context.Context, k key, r *admission.Request) *gathering {
	g := &gathering{key: k, running: true,
		response: &admission.Response{Request: r, Began: time.Now()}}
	evicted, ok := c.add(g)
	if evicted != nil {
		c.done(evicted)
	}
	if !ok {
		return nil
	}
	g.stop = context.AfterFunc(ctx, func() { c.contextEnded(g) })
	return g
}

// add adds a request. If there are too many, it removes one that is between its
// phases.
func (c *Collector) add(g *gathering) (evicted *gathering, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= c.config.MaxRequests {
		at := slices.IndexFunc(c.open, func(g *gathering) bool { return !g.running })
		if at < 0 {
			c.dropped++
			return nil, false
		}
		evicted = c.open[at]
		c.open = slices.Delete(c.open, at, at+1)
	}
	c.open = append(c.open, g)
	return evicted, true
}

// contextEnded ends a request that is between its phases. A phase that is still
// running ends it later.
func (c *Collector) contextEnded(g *gathering) {
	c.mu.Lock()
	g.over = true
	ends := !g.running && c.remove(g)
	c.mu.Unlock()
	if ends {
		c.done(g)
	}
}

// endPhase ends the run of a phase, and the request if this was its end. policies
// says that only the policies of the phase have run.
func (c *Collector) endPhase(g *gathering, policies, final bool) {
	c.mu.Lock()
	g.running, g.policies = false, policies
	ends := (final || g.over) && c.remove(g)
	c.mu.Unlock()
	if ends {
		c.done(g)
	}
}

// remove removes a request and reports whether it was there. The caller holds
// the lock.
func (c *Collector) remove(g *gathering) bool {
	at := slices.Index(c.open, g)
	if at >= 0 {
		c.open = slices.Delete(c.open, at, at+1)
	}
	return at >= 0
}

// done completes the response and passes it on.
func (c *Collector) done(g *gathering) {
	g.stop()
	if c.config.OnlyCalled && !g.called() {
		return
	}
	g.complete()
	_ = guard.Do(func() { c.config.Done(g.response) })
}
