package client

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// route is an endpoint together with what has to be let go of with it.
type route struct {
	endpoint *dispatcher.Endpoint
	// retire closes the endpoint's connections as soon as nobody uses them.
	retire func()
}

// key is a client configuration without the name of its webhook (S-270).
type key struct {
	url      string
	caBundle string
	service  service
}

// keyOf copies what identifies cc.
func keyOf(cc *registrationv1.WebhookClientConfig) key {
	return key{url: urlOf(cc), caBundle: string(cc.CABundle), service: serviceOf(cc)}
}

func urlOf(cc *registrationv1.WebhookClientConfig) string {
	if cc.URL == nil {
		return ""
	}
	return *cc.URL
}

// cache holds the routes that have been made. Readers take the current map,
// which never changes; writers publish a new one.
type cache struct {
	current atomic.Pointer[map[key]*route]

	mu sync.Mutex
	// making are the routes that someone is making now. Guarded by mu.
	making map[key]*attempt
	// wanted are the keys of the last retain; nil before it, when all are.
	// Guarded by mu.
	wanted map[key]struct{}
	// closed is set once and for all. Guarded by mu.
	closed bool
}

// attempt is one try to make a route. Its results may be read once done is
// closed.
type attempt struct {
	done  chan struct{}
	route *route
	err   error
	// panicked says that building did not return; route and err are nil then.
	panicked *admission.PanicError
}

func newCache() *cache {
	c := &cache{making: map[key]*attempt{}}
	c.current.Store(&map[key]*route{})
	return c
}

// find returns the route for cc, or nil.
//
// The key is spelled out inside the index expression, because there the
// compiler does not copy the CA bundle to make a string of it.
func (c *cache) find(cc *registrationv1.WebhookClientConfig) *route {
	return (*c.current.Load())[key{url: urlOf(cc), caBundle: string(cc.CABundle), service: serviceOf(cc)}]
}

// makeGrace is how much longer than its context a caller waits for its route. A
// route that is made at once is then had even by a request whose time is over
// already, which fails where it does in kube-apiserver: when it is sent (S-265).
const makeGrace = 10 * time.Millisecond

// add returns the route for k. One of several concurrent callers has it made, the
// others wait; an error goes to all of them and is forgotten. Building runs
// without the lock and on a goroutine of its own, since credentials may come from
// a slow place: callers leave when ctx is done, while building goes on and what
// comes of it is there for those who come later.
//
// A panic is nobody's but the one caller's who had the route made: the others try
// for themselves, as if they had come later. If that caller has left, the panic
// is lost.
func (c *cache) add(ctx context.Context, k key, build func() (*route, error)) (*route, error) {
	a, first, err := c.join(k)
	if err != nil {
		return nil, err
	}
	if first {
		c.start(k, a, build)
	}
	if err := a.wait(ctx); err != nil {
		return nil, err
	}
	switch {
	case a.panicked == nil:
		return a.route, a.err
	case first:
		panic(a.panicked)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return c.add(ctx, k, build)
}

// start carries out the attempt, without waiting for it.
func (c *cache) start(k key, a *attempt, build func() (*route, error)) {
	detach(func() {
		r, err := build()
		if err == nil {
			err = c.publish(k, r)
		}
		if err != nil {
			r = nil
		}
		a.route, a.err = r, err
	}, func(panicked *admission.PanicError) {
		a.panicked = panicked
		c.settle(k, a)
	})
}

// wait returns when the attempt is done, or ctx's error if it takes too long.
func (a *attempt) wait(ctx context.Context) error {
	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
	}
	timer := time.NewTimer(makeGrace)
	defer timer.Stop()
	select {
	case <-a.done:
		return nil
	case <-timer.C:
		return ctx.Err()
	}
}

// join returns the attempt for k, and whether the caller is the one to carry
// it out.
func (c *cache) join(k key) (a *attempt, first bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false, errClosed()
	}
	if a := c.making[k]; a != nil {
		return a, false, nil
	}
	a = &attempt{done: make(chan struct{})}
	// Someone may have published the route after the caller looked for it.
	if r := (*c.current.Load())[k]; r != nil {
		a.route = r
		close(a.done)
		return a, false, nil
	}
	c.making[k] = a
	return a, true, nil
}

// publish makes r visible to readers, unless the cache was closed meanwhile: then
// it is retired, although nobody gets it. A route that is not wanted serves those
// who asked for it and nobody else: kept, it would stay as long as the next retain
// does not come.
func (c *cache) publish(k key, r *route) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		r.retire()
		return errClosed()
	}
	if _, ok := c.wanted[k]; !ok && c.wanted != nil {
		r.retire()
		return nil
	}
	next := maps.Clone(*c.current.Load())
	next[k] = r
	c.current.Store(&next)
	return nil
}

// settle ends the attempt.
func (c *cache) settle(k key, a *attempt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.making, k)
	close(a.done)
}

// retain publishes a map without the routes that are not wanted, and returns
// these.
func (c *cache) retain(wanted map[key]struct{}) (dropped []*route) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted = wanted
	current := *c.current.Load()
	next := make(map[key]*route, len(current))
	for k, r := range current {
		if _, ok := wanted[k]; ok {
			next[k] = r
		} else {
			dropped = append(dropped, r)
		}
	}
	c.current.Store(&next)
	return dropped
}

// close empties the cache for good and returns what was in it.
func (c *cache) close() map[key]*route {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return *c.current.Swap(&map[key]*route{})
}

func errClosed() error { return errors.New("the webhook client is closed") }
