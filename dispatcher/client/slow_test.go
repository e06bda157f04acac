package client

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/testutil/testtable"
)

// slowAuthInfo returns no credentials, after d.
func slowAuthInfo(d time.Duration) webhookutil.AuthenticationInfoResolver {
	return &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc:        func(string) (*rest.Config, error) { time.Sleep(d); return &rest.Config{}, nil },
		ClientConfigForServiceFunc: func(string, string, int) (*rest.Config, error) { time.Sleep(d); return &rest.Config{}, nil },
	}
}

// slowServices resolves every service, after d.
func slowServices(d time.Duration) services {
	return func(string, string, int32) (*url.URL, error) {
		time.Sleep(d)
		return &url.URL{Host: "gate.example"}, nil
	}
}

type slowRow struct {
	row
	hook     *admission.Webhook
	auth     time.Duration
	services time.Duration
	took     time.Duration
	err      string
}

// TestSlowHosts makes calls with a timeout of a second, in virtual time, over a
// network that refuses every connection.
func TestSlowHosts(t *testing.T) {
	t.Parallel()
	const long, short = 4 * time.Second, 300 * time.Millisecond
	const late, refused = "context deadline exceeded", "refused"
	url, service := urlHook("https://hook.example", nil), serviceHook(nil)
	testtable.Run(t, []slowRow{
		{row{"credentials", "the call ends at its deadline"}, url, long, 0, time.Second + guard.Grace, late},
		{row{"credentials of a service", "another method looks them up"}, service, long, 0, time.Second + guard.Grace, late},
		{row{"address of a service", "the call ends at its deadline"}, service, 0, long, time.Second, late},
		{row{"both in time", "the call waits until both have returned"}, service, short, short, 2 * short, refused},
		{row{"both together too late", "the deadline covers both"}, service, 2 * short, 2 * short, time.Second, late},
	}, func(t *testing.T, r slowRow) {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(t, Config{
				AuthInfo: slowAuthInfo(r.auth), Services: slowServices(r.services),
				Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New(refused) },
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			err := exchange(ctx, c, r.hook)
			if took := time.Since(start); took != r.took {
				t.Errorf("the call took %v, want %v", took, r.took)
			}
			if err == nil || !strings.Contains(err.Error(), r.err) {
				t.Errorf("error %v, want one with %q", err, r.err)
			}
			time.Sleep(2 * long) // until abandoned goroutines have ended
		})
	})
}

// TestHungCredentials: a call does not wait longer than its own context, and
// later calls use the result.
func TestHungCredentials(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lookUps, answer := 0, make(chan struct{})
		c := newClient(t, Config{AuthInfo: &webhookutil.AuthenticationInfoResolverDelegator{
			ClientConfigForFunc: func(string) (*rest.Config, error) {
				lookUps++
				<-answer
				return &rest.Config{}, nil
			},
		}})
		hook := urlHook("https://hook.example", nil)
		start := time.Now()
		for _, limit := range []time.Duration{3 * time.Second, 2 * time.Second} {
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				_, err := c.Endpoint(ctx, hook)
				if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != limit+guard.Grace {
					t.Errorf("error %v after %v, want a deadline error after %v", err, took, limit)
				}
			}()
		}
		time.Sleep(5 * time.Second)
		close(answer)
		if _, err := c.Endpoint(t.Context(), hook); err != nil || lookUps != 1 {
			t.Errorf("error %v after %d look-ups, want none after one", err, lookUps)
		}
	})
}

// TestNoTimeLeft: a call whose deadline has passed still gets its endpoint, so
// that the error is that of the exchange, as in kube-apiserver.
func TestNoTimeLeft(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	synctest.Test(t, func(t *testing.T) {
		if _, err := newClient(t, Config{}).Endpoint(ctx, urlHook("https://hook.example", nil)); err != nil {
			t.Error(err)
		}
	})
}

// TestCloseWhileConnecting: an endpoint that is created after Close is closed
// at once, and the callers that wait for it get an error.
func TestCloseWhileConnecting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, closed := newCache(), 0
		go func() {
			_, err := c.getOrCreate(t.Context(), cacheKey{}, func() (*cachedEndpoint, error) {
				time.Sleep(2 * time.Second)
				return &cachedEndpoint{closeWhenIdle: func() { closed++ }}, nil
			})
			if testtable.Text(err) != errClosed().Error() {
				t.Errorf("error %v, want %v", err, errClosed())
			}
		}()
		time.Sleep(time.Second)
		c.close()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if closed != 1 {
			t.Errorf("closed %d times, want once", closed)
		}
	})
}

// TestLatePanic: a panic after all callers have returned is lost, and the next
// call tries again.
func TestLatePanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCache()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.getOrCreate(ctx, cacheKey{}, func() (*cachedEndpoint, error) { time.Sleep(2 * time.Second); panic("boom") }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want a deadline error", err)
		}
		time.Sleep(2 * time.Second)
		want := &cachedEndpoint{}
		if got, err := c.getOrCreate(t.Context(), cacheKey{}, func() (*cachedEndpoint, error) { return want, nil }); got != want || err != nil {
			t.Errorf("endpoint %p, error %v, want %p", got, err, want)
		}
	})
}
