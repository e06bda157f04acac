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

// cachedEndpoint is an endpoint and the function that closes its connections.
type cachedEndpoint struct {
	endpoint *dispatcher.Endpoint
	// closeWhenIdle closes the endpoint's connections as soon as no call uses them.
	closeWhenIdle func()
}

// cacheKey is a client configuration without the webhook's name (S-270).
type cacheKey struct {
	url      string
	caBundle string
	service  service
}

// cacheKeyOf copies the fields that identify cc.
func cacheKeyOf(cc *registrationv1.WebhookClientConfig) cacheKey {
	return cacheKey{url: urlOf(cc), caBundle: string(cc.CABundle), service: serviceOf(cc)}
}

func urlOf(cc *registrationv1.WebhookClientConfig) string {
	if cc.URL == nil {
		return ""
	}
	return *cc.URL
}

// cache holds the endpoints. Readers load the current map, which is immutable; writers
// publish a new one.
type cache struct {
	current atomic.Pointer[map[cacheKey]*cachedEndpoint]

	mu sync.Mutex
	// pending are the endpoints that are being created. Guarded by mu.
	pending map[cacheKey]*creation
	// inUse are the keys of the last retain; nil before it, when all keys are in use.
	// Guarded by mu.
	inUse map[cacheKey]struct{}
	// closed never becomes false again. Guarded by mu.
	closed bool
}

// creation is one attempt to create an endpoint. Its results may be read once done is
// closed.
type creation struct {
	done     chan struct{}
	endpoint *cachedEndpoint
	err      error
	// panicked is set if the attempt panicked; endpoint and err are nil then.
	panicked *admission.PanicError
}

func newCache() *cache {
	c := &cache{pending: map[cacheKey]*creation{}}
	c.current.Store(&map[cacheKey]*cachedEndpoint{})
	return c
}

// get returns the endpoint for cc, or nil.
//
// The key is a literal inside the index expression, because the compiler does not copy
// the CA bundle to a string there.
func (c *cache) get(cc *registrationv1.WebhookClientConfig) *cachedEndpoint {
	return (*c.current.Load())[cacheKey{
		url: urlOf(cc), caBundle: string(cc.CABundle), service: serviceOf(cc),
	}]
}

// creationGrace is how long a caller waits for its endpoint after its context has
// ended. An endpoint that needs no waiting is then returned even to a request whose
// deadline has passed; that request fails when it is sent, as in kube-apiserver
// (S-265).
const creationGrace = 10 * time.Millisecond

// getOrCreate returns the endpoint for k. Among concurrent callers, the first one
// creates it and the others wait; an error goes to all of them and is not cached.
// create runs without the lock and on a separate goroutine, since looking up
// credentials may be slow: callers return when ctx is done, while create continues and
// later callers get its result.
//
// A panic of create goes to the first caller alone: the others try again, as if they
// had come later. If the first caller has returned, the panic is lost.
func (c *cache) getOrCreate(
	ctx context.Context, k cacheKey, create func() (*cachedEndpoint, error),
) (*cachedEndpoint, error) {
	cr, first, err := c.join(k)
	if err != nil {
		return nil, err
	}
	if first {
		c.start(k, cr, create)
	}
	if err := cr.wait(ctx); err != nil {
		return nil, err
	}
	switch {
	case cr.panicked == nil:
		return cr.endpoint, cr.err
	case first:
		panic(cr.panicked)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return c.getOrCreate(ctx, k, create)
}

// start runs the creation on a separate goroutine.
func (c *cache) start(k cacheKey, cr *creation, create func() (*cachedEndpoint, error)) {
	goRecover(func() {
		e, err := create()
		if err == nil {
			err = c.publish(k, e)
		}
		if err != nil {
			e = nil
		}
		cr.endpoint, cr.err = e, err
	}, func(panicked *admission.PanicError) {
		cr.panicked = panicked
		c.finish(k, cr)
	})
}

// wait returns nil when the creation is done, or ctx's error if ctx ends first.
func (cr *creation) wait(ctx context.Context) error {
	select {
	case <-cr.done:
		return nil
	case <-ctx.Done():
	}
	timer := time.NewTimer(creationGrace)
	defer timer.Stop()
	select {
	case <-cr.done:
		return nil
	case <-timer.C:
		return ctx.Err()
	}
}

// join returns the creation for k, and whether the caller has to start it.
func (c *cache) join(k cacheKey) (cr *creation, first bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false, errClosed()
	}
	if cr := c.pending[k]; cr != nil {
		return cr, false, nil
	}
	cr = &creation{done: make(chan struct{})}
	// Another caller may have published the endpoint since this one called get.
	if e := (*c.current.Load())[k]; e != nil {
		cr.endpoint = e
		close(cr.done)
		return cr, false, nil
	}
	c.pending[k] = cr
	return cr, true, nil
}

// publish adds e to the map. If the cache has been closed, it closes e and returns an
// error. An endpoint whose key is not in use serves only the callers that wait for it:
// in the map it would stay until the next retain.
func (c *cache) publish(k cacheKey, e *cachedEndpoint) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		e.closeWhenIdle()
		return errClosed()
	}
	if _, ok := c.inUse[k]; !ok && c.inUse != nil {
		e.closeWhenIdle()
		return nil
	}
	next := maps.Clone(*c.current.Load())
	next[k] = e
	c.current.Store(&next)
	return nil
}

// finish ends the creation and wakes its callers.
func (c *cache) finish(k cacheKey, cr *creation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, k)
	close(cr.done)
}

// retain removes the endpoints that are not in use from the map, and returns them.
func (c *cache) retain(inUse map[cacheKey]struct{}) (dropped []*cachedEndpoint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inUse = inUse
	current := *c.current.Load()
	next := make(map[cacheKey]*cachedEndpoint, len(current))
	for k, e := range current {
		if _, ok := inUse[k]; ok {
			next[k] = e
		} else {
			dropped = append(dropped, e)
		}
	}
	c.current.Store(&next)
	return dropped
}

// close empties the cache for good and returns its endpoints.
func (c *cache) close() map[cacheKey]*cachedEndpoint {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return *c.current.Swap(&map[cacheKey]*cachedEndpoint{})
}

func errClosed() error { return errors.New("the webhook client is closed") }
