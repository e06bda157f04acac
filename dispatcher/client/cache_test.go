package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

type shareRow struct {
	row
	a, b   *admission.Webhook
	shared bool
}

// TestSharing checks which client configurations share an endpoint (S-270).
func TestSharing(t *testing.T) {
	t.Parallel()
	ca, _ := newCertificate(t, nil)
	other, _ := newCertificate(t, nil)
	withPort := serviceHook(nil)
	withPort.ClientConfig.Service.Port = new(int32(443))
	otherPort := serviceHook(nil)
	otherPort.ClientConfig.Service.Port = new(int32(444))
	otherPath := serviceHook(nil)
	otherPath.ClientConfig.Service.Path = new("/x")
	renamed := urlHook("https://hook.example", ca)
	renamed.Name = "another.example.com"
	rows := []shareRow{
		{row{"equal", "equal configurations share connections"}, urlHook("https://hook.example", ca), urlHook("https://hook.example", ca), true},
		{row{"name", "the webhook's name is not part of the key"}, urlHook("https://hook.example", ca), renamed, true},
		{row{"default port", "a port that is spelled out is no other port"}, serviceHook(nil), withPort, true},
		{row{"url", "another path is another endpoint"}, urlHook("https://hook.example/a", ca), urlHook("https://hook.example/b", ca), false},
		{row{"CA bundle", "webhooks with different CAs never share connections"}, urlHook("https://hook.example", ca), urlHook("https://hook.example", other), false},
		{row{"service port", "another port is another backend"}, serviceHook(nil), otherPort, false},
		{row{"service path", "another path is another endpoint"}, serviceHook(nil), otherPath, false},
	}
	testtable.Run(t, rows, func(t *testing.T, r shareRow) {
		c := newClient(t, Config{})
		first, err := c.Endpoint(t.Context(), r.a)
		if err != nil {
			t.Fatal(err)
		}
		second, err := c.Endpoint(t.Context(), r.b)
		if err != nil {
			t.Fatal(err)
		}
		if shared := first == second; shared != r.shared {
			t.Errorf("shared: %v, want %v", shared, r.shared)
		}
	})
}

// TestErrorsAreForgotten: the next call must notice a token file that is back;
// kube-apiserver waits until the configuration changes (S-067).
func TestErrorsAreForgotten(t *testing.T) {
	t.Parallel()
	missing := errors.New("open /token: no such file")
	answers := []error{missing, missing, nil}
	lookUps := 0
	c := newClient(t, Config{AuthInfo: &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc: func(string) (*rest.Config, error) {
			lookUps++
			return &rest.Config{}, answers[lookUps-1]
		},
	}})
	hook := urlHook("https://hook.example", nil)
	var got []error
	for range 5 {
		_, err := c.Endpoint(t.Context(), hook)
		got = append(got, err)
	}
	want := []error{missing, missing, nil, nil, nil}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b error) bool { return a == b })); diff != "" {
		t.Errorf("unexpected errors (-want +got):\n%s", diff)
	}
	if lookUps != len(answers) {
		t.Errorf("looked up credentials %d times, want %d", lookUps, len(answers))
	}
}

type raceRow struct {
	row
	create func(c *cache) (*cachedEndpoint, error)
	// created is how often an endpoint was created, errs how many callers got
	// an error.
	created, errs, panics int
}

// TestConcurrentFirstCalls makes ten calls at once while the endpoint is being
// created.
func TestConcurrentFirstCalls(t *testing.T) {
	t.Parallel()
	rows := []raceRow{
		{row: row{"success", "one endpoint for all"}, create: func(*cache) (*cachedEndpoint, error) { return &cachedEndpoint{}, nil }, created: 1},
		{row: row{"failure", "all waiting callers get the error"}, create: func(*cache) (*cachedEndpoint, error) { return nil, errors.New("no") }, created: 1, errs: 10},
		{row: row{"panic", "the waiting callers try again, and each gets its own panic"}, create: func(*cache) (*cachedEndpoint, error) { panic("resolver") }, created: 10, panics: 10},
		{row: row{"goroutine ended", "the same as a panic"}, create: func(*cache) (*cachedEndpoint, error) { runtime.Goexit(); return nil, nil }, created: 10, panics: 10},
		{row: row{"closed meanwhile", "a closed client returns no endpoints"}, create: func(c *cache) (*cachedEndpoint, error) {
			c.close()
			return &cachedEndpoint{closeWhenIdle: func() {}}, nil
		}, created: 1, errs: 10},
	}
	testtable.Run(t, rows, func(t *testing.T, r raceRow) {
		synctest.Test(t, func(t *testing.T) {
			var built, errs, panics atomic.Int32
			c, release := newCache(), make(chan struct{})
			for range 10 {
				go func() {
					got, err := c.getOrCreate(t.Context(), cacheKey{url: "x"}, func() (*cachedEndpoint, error) {
						built.Add(1)
						<-release
						return r.create(c)
					})
					var panicked *admission.PanicError
					switch {
					case errors.As(err, &panicked):
						panics.Add(1)
					case err != nil:
						errs.Add(1)
					case got == nil:
						t.Error("neither endpoint nor error")
					}
				}()
			}
			synctest.Wait()
			close(release)
			synctest.Wait()
			got := []int32{built.Load(), errs.Load(), panics.Load()}
			if diff := cmp.Diff([]int32{int32(r.created), int32(r.errs), int32(r.panics)}, got); diff != "" {
				t.Errorf("built, errors, panics (-want +got):\n%s", diff)
			}
		})
	})
}

// TestLateFirstCall: a caller that looked up the endpoint just before it was
// published gets that endpoint and creates no other.
func TestLateFirstCall(t *testing.T) {
	t.Parallel()
	c, published := newCache(), &cachedEndpoint{}
	if err := c.publish(cacheKey{url: "x"}, published); err != nil {
		t.Fatal(err)
	}
	got, err := c.getOrCreate(t.Context(), cacheKey{url: "x"}, func() (*cachedEndpoint, error) { return nil, errors.New("made again") })
	if got != published || err != nil {
		t.Errorf("endpoint %p, error %v, want %p", got, err, published)
	}
}

// TestDroppedTwice has two calls drop an endpoint whose certificate was renewed. The
// second one leaves the successor in the cache, which has to close it later.
func TestDroppedTwice(t *testing.T) {
	t.Parallel()
	c, k, old, successor := newCache(), cacheKey{url: "x"}, &cachedEndpoint{}, &cachedEndpoint{}
	for _, e := range []*cachedEndpoint{old, successor} {
		if err := c.publish(k, e); err != nil {
			t.Fatal(err)
		}
		c.drop(k, old)
	}
	if got := c.close()[k]; got != successor {
		t.Errorf("the cache closes %p, want the successor %p", got, successor)
	}
}

// TestLookUpAllocatesNothing is not parallel, because allocations are counted
// for the whole process.
func TestLookUpAllocatesNothing(t *testing.T) {
	ca, _ := newCertificate(t, nil)
	c := newClient(t, Config{})
	for name, hook := range map[string]*admission.Webhook{
		"url": urlHook("https://hook.example", ca), "service": serviceHook(ca),
	} {
		n := testing.AllocsPerRun(100, func() {
			if _, err := c.Endpoint(t.Context(), hook); err != nil {
				t.Error(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations per look-up, want none", name, n)
		}
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	known, unknown := urlHook("https://hook.example", nil), &admission.Webhook{
		ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://other.example")},
	}
	lookUps := 0
	c := newClient(t, Config{AuthInfo: &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc: func(string) (*rest.Config, error) { lookUps++; return &rest.Config{}, nil },
	}})
	if _, err := c.Endpoint(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	c.Close()
	c.Close()
	for _, w := range []*admission.Webhook{known, unknown} {
		e, err := c.Endpoint(t.Context(), w)
		if e != nil || err == nil || err.Error() != "the webhook client is closed" {
			t.Errorf("endpoint %v, error %v after Close", e, err)
		}
	}
	if lookUps != 1 {
		t.Errorf("looked up credentials %d times, want once, before Close", lookUps)
	}
}

// TestCloseClosesIdleConnections watches the client's side of a connection that
// is open and unused when Close is called.
func TestCloseClosesIdleConnections(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok), "hook.example")
	closed := make(chan struct{})
	c := newClient(t, Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := b.dial(ctx, network, addr)
		return &trackedConn{Conn: conn, closed: sync.OnceFunc(func() { close(closed) })}, err
	}})
	if _, err := post(t, c, urlHook("https://hook.example", b.ca), "{}"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-closed:
		t.Fatal("the connection was closed before Close")
	default:
	}
	c.Close()
	select {
	case <-closed:
	case <-time.After(2 * time.Minute):
		t.Error("the idle connection is still open")
	}
}

// trackedConn is a connection that reports its Close.
type trackedConn struct {
	net.Conn
	closed func()
}

func (w *trackedConn) Close() error {
	w.closed()
	return w.Conn.Close()
}
