package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/engine/guard"
)

// cachedEndpoint is an endpoint and the function that closes its connections.
type cachedEndpoint struct {
	endpoint *dispatcher.Endpoint
	// certificate is nil unless the client certificate is on disk.
	certificate *clientCertificate
	// closeWhenIdle closes the endpoint's connections as soon as no call uses
	// them.
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

// cache holds the endpoints. Readers load the current map, which is immutable;
// writers publish a new one.
type cache struct {
	current atomic.Pointer[map[cacheKey]*cachedEndpoint]

	// creations are the endpoints that are being created.
	creations singleflight.Group

	mu sync.Mutex
	// inUse are the keys of the last retain; nil before it, when all keys are
	// in use. Guarded by mu.
	inUse map[cacheKey]struct{}
	// closed never becomes false again. Guarded by mu.
	closed bool
}

func newCache() *cache {
	c := &cache{}
	c.current.Store(&map[cacheKey]*cachedEndpoint{})
	return c
}

// get returns the endpoint for cc, or nil.
//
// The key is a literal inside the index expression, because the compiler does
// not copy the CA bundle to a string there.
func (c *cache) get(cc *registrationv1.WebhookClientConfig) *cachedEndpoint {
	return (*c.current.Load())[cacheKey{
		url: urlOf(cc), caBundle: string(cc.CABundle), service: serviceOf(cc),
	}]
}

// getOrCreate returns the endpoint for k. Among concurrent callers, the first
// one creates it and the others wait; an error goes to all of them and is not
// cached. create runs without the lock and on a separate goroutine, since
// looking up credentials may be slow: callers return when ctx is done, while
// create continues and later callers get its result.
//
// If create panics, the first caller alone gets an *admission.PanicError: the
// others try again, as if they had come later. If the first caller has
// returned, the panic is lost.
func (c *cache) getOrCreate(
	ctx context.Context, k cacheKey, create func() (*cachedEndpoint, error),
) (*cachedEndpoint, error) {
	first := false
	created := c.creations.DoChan(fmt.Sprintf("%#v", k), func() (any, error) {
		first = true
		return c.create(ctx, k, create)
	})
	result, err := await(ctx, created)
	if err != nil {
		return nil, err
	}
	var panicked *admission.PanicError
	switch {
	case first, !errors.As(result.Err, &panicked):
		return result.Val.(*cachedEndpoint), result.Err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return c.getOrCreate(ctx, k, create)
}

// await returns the result of a creation, or ctx's error if ctx ends first. An
// endpoint that needs no waiting is returned even if ctx has ended.
func await(ctx context.Context, created <-chan singleflight.Result) (singleflight.Result, error) {
	graced, cancel := guard.Graced(ctx)
	defer cancel()
	select {
	case result := <-created:
		return result, nil
	case <-graced.Done():
		return singleflight.Result{}, ctx.Err()
	}
}

// create creates and publishes the endpoint for k, unless another caller has
// published it since this one called get.
func (c *cache) create(
	ctx context.Context, k cacheKey, create func() (*cachedEndpoint, error),
) (*cachedEndpoint, error) {
	if e, err := c.published(k); e != nil || err != nil {
		return e, err
	}
	// A separate goroutine, because create may end it, and without ctx's
	// deadline, because other callers wait, too.
	e, err := guard.Detached(context.WithoutCancel(ctx), create, nil)
	if err == nil {
		err = c.publish(k, e)
	}
	if err != nil {
		return nil, goexitToPanic(err)
	}
	return e, nil
}

// published returns the endpoint for k, or nil. It fails after close.
func (c *cache) published(k cacheKey) (*cachedEndpoint, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosed()
	}
	return (*c.current.Load())[k], nil
}

// publish adds e to the map. If the cache has been closed, it closes e and
// returns an error. An endpoint whose key is not in use serves only the callers
// that wait for it: in the map it would stay until the next retain.
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

// retain removes the endpoints that are not in use from the map, and returns
// them.
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

// drop removes e from the map, unless another endpoint has taken its place.
func (c *cache) drop(k cacheKey, e *cachedEndpoint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if current := *c.current.Load(); current[k] == e {
		next := maps.Clone(current)
		delete(next, k)
		c.current.Store(&next)
	}
}

// close empties the cache for good and returns its endpoints.
func (c *cache) close() map[cacheKey]*cachedEndpoint {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return *c.current.Swap(&map[cacheKey]*cachedEndpoint{})
}

func errClosed() error { return errors.New("the webhook client is closed") }
