package client

import (
	"errors"
	"maps"
	"sync"
	"sync/atomic"

	registrationv1 "k8s.io/api/admissionregistration/v1"

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

// errPanicked is what those who wait learn of a build that panicked.
var errPanicked = errors.New("making the webhook's client panicked")

// add returns the route for k. One of several concurrent callers makes it, the
// others wait; an error goes to all of them and is forgotten. Building runs
// without the lock, since credentials may come from a slow place.
//
// A panic is nobody's but the one caller's in whom it happens: the others try
// for themselves, as if they had come later.
func (c *cache) add(k key, build func() (*route, error)) (*route, error) {
	a, first, err := c.join(k)
	if err != nil {
		return nil, err
	}
	if !first {
		<-a.done
		if errors.Is(a.err, errPanicked) {
			return c.add(k, build)
		}
		return a.route, a.err
	}
	// Those who wait are released even if build panics.
	a.err = errPanicked
	defer func() { c.settle(k, a) }()
	a.route, a.err = build()
	if a.err == nil {
		a.err = c.publish(k, a.route)
	}
	if a.err != nil {
		a.route = nil
	}
	return a.route, a.err
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

// publish makes r visible to readers, unless the cache was closed meanwhile. A
// route that is not wanted serves those who asked for it and nobody else: kept,
// it would stay as long as the next retain does not come.
func (c *cache) publish(k key, r *route) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
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
