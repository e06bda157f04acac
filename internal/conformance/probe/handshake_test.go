package probe_test

import (
	"context"
	"crypto/tls"
	"net"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

// TestHandshakeTimeout is about a server that takes connections and says
// nothing. What servers that speak show is in the tests of package transport.
func TestHandshakeTimeout(t *testing.T) {
	t.Parallel()
	quick := probetest.Mutating("defaults", "/", func(w *registrationv1.MutatingWebhook) { w.TimeoutSeconds = new(int32(1)) })
	c := probetest.New(t, probetest.Good(), []runtime.Object{quick})
	var dialed string
	c.Dial = func(_ context.Context, _, address string) (net.Conn, error) {
		dialed = address
		ours, theirs := net.Pipe()
		t.Cleanup(func() { _ = theirs.Close() })
		return ours, nil
	}
	_, err := c.Webhooks[0].Handshake(t.Context(), tls.VersionTLS12, tls.VersionTLS13)
	if err == nil || err.Error() != "no TLS connection within 1s" {
		t.Errorf("got error %v", err)
	}
	if dialed != "hooks.example.com:443" {
		t.Errorf("dialed %q", dialed)
	}
}

// TestUnconnected tells a port without a listener from a connection that broke.
func TestUnconnected(t *testing.T) {
	t.Parallel()
	_, err := new(net.Dialer).DialContext(t.Context(), "tcp", "127.0.0.1:1")
	if !probe.IsDialError(err) {
		t.Errorf("%v means that there is a connection", err)
	}
	if probe.IsDialError(&net.OpError{Op: "read", Err: net.ErrClosed}) || probe.IsDialError(nil) {
		t.Error("a connection that broke was none")
	}
}
