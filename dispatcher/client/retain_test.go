package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// only is the sequence of the given webhooks.
func only(webhooks ...*admission.Webhook) iter.Seq[*admission.Webhook] {
	return slices.Values(webhooks)
}

// endpoint returns the endpoint of w.
func endpoint(t *testing.T, c *Client, w *admission.Webhook) *dispatcher.Endpoint {
	t.Helper()
	e, err := c.Endpoint(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestRetain(t *testing.T) {
	t.Parallel()
	a, b := urlHook("https://a.example", nil), urlHook("https://b.example", nil)
	c := newClient(t, Config{})
	keptBefore, droppedBefore := endpoint(t, c, a), endpoint(t, c, b)
	twin := urlHook("https://a.example", nil)
	twin.Name = "twin.example.com"
	c.Retain(only(twin))
	if endpoint(t, c, a) != keptBefore {
		t.Error("the endpoint is made again although a webhook with an equal configuration is left")
	}
	late := endpoint(t, c, b)
	if late == droppedBefore {
		t.Error("the endpoint is still there although no webhook uses it")
	}
	if endpoint(t, c, b) == late {
		t.Error("an endpoint that is not wanted is kept")
	}
	c.Retain(only(b))
	again := endpoint(t, c, b)
	if endpoint(t, c, b) != again {
		t.Error("an endpoint that is wanted again is not kept")
	}
}

func TestRetainAfterClose(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{})
	c.Close()
	c.Retain(only())
	if _, err := c.Endpoint(t.Context(), urlHook("https://a.example", nil)); err == nil {
		t.Error("an endpoint after Close")
	}
}

// webhookWithCA returns a webhook whose CA bundle differs for every number, but
// trusts the same CA.
func webhookWithCA(address string, ca []byte, number int) *admission.Webhook {
	return urlHook(address, slices.Concat(ca, bytes.Repeat([]byte("\n"), number)))
}

type rotateRow struct {
	row
	host string
}

// TestRotation changes the CA bundle 50 times while calls are made. Only the
// last connections stay open.
func TestRotation(t *testing.T) {
	t.Parallel()
	rows := []rotateRow{
		{row{"HTTP/1.1", "without Retain, each bundle keeps a connection per concurrent call"}, "hook.example"},
		{row{"HTTP/2", "without Retain, each bundle keeps one connection"}, "localhost"},
	}
	testtable.Run(t, rows, func(t *testing.T, r rotateRow) {
		b := startBackend(t, http.HandlerFunc(ok), "hook.example", "localhost")
		c := newClient(t, Config{Dial: b.dial})
		var current atomic.Pointer[admission.Webhook]
		current.Store(webhookWithCA("https://"+r.host, b.ca, 0))
		done := make(chan struct{})
		var caller sync.WaitGroup
		caller.Go(func() { keepCalling(t, c, &current, done) })
		for n := range 50 {
			next := webhookWithCA("https://"+r.host, b.ca, n+1)
			current.Store(next)
			c.Retain(only(next))
			if _, err := post(t, c, next, "{}"); err != nil {
				t.Errorf("call after rotation %d: %v", n+1, err)
			}
		}
		close(done)
		caller.Wait()
		// One for the caller and one for the rotation, and for each another one
		// that net/http began to open before the first became idle; but not one
		// per bundle.
		b.eventuallyOpen(t, 4)
		c.Retain(only())
		b.eventuallyOpen(t, 0)
	})
}

// keepCalling calls the current webhook until done is closed.
func keepCalling(t *testing.T, c *Client, current *atomic.Pointer[admission.Webhook], done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		if err := exchange(t.Context(), c, current.Load()); err != nil {
			t.Errorf("call during the rotation: %v", err)
			return
		}
	}
}

// exchange makes one call and may be used on any goroutine.
func exchange(ctx context.Context, c dispatcher.Client, w *admission.Webhook) error {
	e, err := c.Endpoint(ctx, w)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL.String(), bytes.NewReader([]byte("{}")))
	if err != nil {
		return err
	}
	resp, err := e.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && string(body) != "ok" {
		err = fmt.Errorf("body %q", body)
	}
	return err
}

// TestDroppedInUse: Retain drops an endpoint while a call is in flight, and
// before another call that already has the endpoint. Both finish, and their
// connections are closed.
func TestDroppedInUse(t *testing.T) {
	t.Parallel()
	for name, host := range map[string]string{"HTTP/1.1": "hook.example", "HTTP/2": "localhost"} {
		arrived, release := make(chan struct{}, 2), make(chan struct{})
		b := startBackend(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			arrived <- struct{}{}
			<-release
			ok(w, r)
		}), "hook.example", "localhost")
		c := newClient(t, Config{Dial: b.dial})
		e := endpoint(t, c, urlHook("https://"+host, b.ca))
		ended := make(chan error, 2)
		call := func() {
			go func() {
				a, err := postTo(t, e, "{}")
				if err == nil && a.Body != "ok" {
					err = fmt.Errorf("response %q", a.Body)
				}
				ended <- err
			}()
			select {
			case <-arrived:
			case err := <-ended:
				close(release)
				t.Fatalf("%s: a call has ended early: %v", name, err)
			}
		}
		call()
		c.Retain(only())
		call()
		close(release)
		for range 2 {
			if err := <-ended; err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		b.eventuallyOpen(t, 0)
	}
}

// TestNoGoroutineIsLeft is not parallel, because goroutines are counted for the
// whole process. The client certificate comes from files, which client-go would
// watch until the garbage collector runs.
func TestNoGoroutineIsLeft(t *testing.T) {
	b := startBackend(t, http.HandlerFunc(ok), "gate.hooks.svc", "localhost")
	certFile, keyFile := writeClientCertificate(t)
	before := goleak.IgnoreCurrent()
	c := newClient(t, Config{
		Dial: b.dial,
		AuthInfo: authInfo(&rest.Config{
			TLSClientConfig: rest.TLSClientConfig{CertFile: certFile, KeyFile: keyFile},
		}),
	})
	for _, hook := range []*admission.Webhook{serviceHook(b.ca), urlHook("https://localhost", b.ca)} {
		if err := exchange(t.Context(), c, hook); err != nil {
			t.Fatal(err)
		}
	}
	c.Retain(only(serviceHook(b.ca)))
	c.Close()
	if err := leaktest.Find(before); err != nil {
		t.Error(err)
	}
}
