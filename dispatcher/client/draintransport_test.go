package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/connrotation"

	"example.com/gatehouse/admission"
)

// These tests have connections that are in no pool, as is one whose handshake
// net/http has just finished for a call that got another connection meanwhile.

// unpooled returns a retiring that dials nobody, and how many of its connections
// are open.
func newUnpooled(next http.RoundTripper) (r *drainTransport, open *atomic.Int32) {
	open = &atomic.Int32{}
	dial := func(context.Context, string, string) (net.Conn, error) {
		ours, _ := net.Pipe()
		open.Add(1)
		return &trackedConn{Conn: ours, closed: func() { open.Add(-1) }}, nil
	}
	return &drainTransport{next: next, pool: pool{dialer: connrotation.NewDialer(dial)}}, open
}

// expectOpen dials if asked to and checks how many connections are open then.
func expectOpen(t *testing.T, r *drainTransport, dial bool, open *atomic.Int32, want int32, when string) {
	t.Helper()
	if dial {
		if _, err := r.dial(t.Context(), "tcp", "hook.example:443"); err != nil {
			t.Fatal(err)
		}
	}
	if got := open.Load(); got != want {
		t.Errorf("%s: %d connections are open, want %d", when, got, want)
	}
}

// TestRetiringUnpooled: no call is under way, so nothing is left open.
func TestDrainUnpooled(t *testing.T) {
	t.Parallel()
	r, open := newUnpooled(nil)
	expectOpen(t, r, true, open, 1, "dialed before")
	r.closeWhenIdle()
	expectOpen(t, r, false, open, 0, "closeWhenIdle")
	expectOpen(t, r, true, open, 0, "dialed after")
}

// TestRetiringDuringCall: a call keeps its connection, and with it all others,
// until the body of its response is closed.
func TestDrainDuringCall(t *testing.T) {
	t.Parallel()
	r, open := newUnpooled(roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}))
	expectOpen(t, r, true, open, 1, "dialed before")
	for _, when := range []string{"first call", "call after closeWhenIdle"} {
		resp, err := r.RoundTrip(&http.Request{})
		if err != nil {
			t.Fatal(err)
		}
		before := open.Load()
		r.closeWhenIdle()
		expectOpen(t, r, true, open, before+1, when+" is in flight")
		for range 2 { // closing twice is allowed
			if err := resp.Body.Close(); err != nil {
				t.Error(err)
			}
		}
		expectOpen(t, r, false, open, 0, when+" has ended")
	}
	if n := r.active.Load(); n != 0 {
		t.Errorf("%d calls are counted as in flight", n)
	}
}

// TestRetiringFailedCall: a call that fails has ended, too.
func TestDrainFailedCall(t *testing.T) {
	t.Parallel()
	var r *drainTransport
	var open *atomic.Int32
	r, open = newUnpooled(roundTrip(func(*http.Request) (*http.Response, error) {
		r.closeWhenIdle()
		expectOpen(t, r, true, open, 1, "in flight")
		return nil, context.DeadlineExceeded
	}))
	if _, err := r.RoundTrip(&http.Request{}); err == nil { //nolint:bodyclose // there is none
		t.Error("the error is lost")
	}
	expectOpen(t, r, false, open, 0, "failed")
}

// TestPanickingCallsEnd: a call that panics is not under way for ever, which would
// keep connections open after the retirement.
func TestDrainPanickingCall(t *testing.T) {
	t.Parallel()
	r := &drainTransport{next: roundTrip(func(*http.Request) (*http.Response, error) { panic("boom") })}
	func() {
		defer func() { _ = recover() }()
		_, _ = r.RoundTrip(httptest.NewRequest(http.MethodPost, "https://localhost", nil)) //nolint:bodyclose // it panics
	}()
	if n := r.active.Load(); n != 0 {
		t.Errorf("%d calls are in flight", n)
	}
}

// TestPanicsAreErrors: http.Client would leave its timer behind.
func TestPanicsAreErrors(t *testing.T) {
	t.Parallel()
	broken := roundTrip(func(*http.Request) (*http.Response, error) { panic("boom") })
	c := newClient(t, Config{AuthInfo: authInfo(&rest.Config{Transport: broken})})
	_, err := post(t, c, urlHook("https://hook.example", nil), "{}")
	var panicked *admission.PanicError
	if !errors.As(err, &panicked) || panicked.Value != "boom" {
		t.Errorf("error %v, want the panic", err)
	}
}
