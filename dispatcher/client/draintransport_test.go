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

// newUnpooled returns a drainTransport whose connections are in no pool, and
// the number of its open connections. Such a connection remains when net/http
// finishes a handshake for a call that got another connection meanwhile.
func newUnpooled(next http.RoundTripper) (r *drainTransport, open *atomic.Int32) {
	open = &atomic.Int32{}
	dial := func(context.Context, string, string) (net.Conn, error) {
		ours, _ := net.Pipe()
		open.Add(1)
		return &trackedConn{Conn: ours, closed: func() { open.Add(-1) }}, nil
	}
	return &drainTransport{wrapper: wrapper{next}, dialer: connrotation.NewDialer(dial)}, open
}

// expectOpen dials if dial is set, and compares the number of open connections.
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

// TestDrainUnpooled: with no call in flight, all connections are closed.
func TestDrainUnpooled(t *testing.T) {
	t.Parallel()
	r, open := newUnpooled(nil)
	expectOpen(t, r, true, open, 1, "dialed before")
	r.closeWhenIdle()
	expectOpen(t, r, false, open, 0, "closeWhenIdle")
	expectOpen(t, r, true, open, 0, "dialed after")
}

// TestDrainDuringCall: all connections stay open until the call's body is
// closed.
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

// TestDrainFailedCall: a failed call has ended.
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

// TestDrainPanickingCall: a call that panics has ended, and does not keep
// connections open.
func TestDrainPanickingCall(t *testing.T) {
	t.Parallel()
	r := &drainTransport{wrapper: wrapper{roundTrip(func(*http.Request) (*http.Response, error) { panic("boom") })}}
	func() {
		defer func() { _ = recover() }()
		_, _ = r.RoundTrip(httptest.NewRequest(http.MethodPost, "https://localhost", nil)) //nolint:bodyclose // it panics
	}()
	if n := r.active.Load(); n != 0 {
		t.Errorf("%d calls are in flight", n)
	}
}

// TestPanicsAreErrors: http.Client would not stop its timer after a panic.
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
