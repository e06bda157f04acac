package dispatcher

import (
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
)

// tracer records the Trace of a call. The methods of a nil tracer do nothing.
type tracer struct {
	// The transport reports from several goroutines. It may go on connecting
	// for other calls when this call has ended.
	mu sync.Mutex
	// getConn, tlsStart, wrote and firstByte are the times of the latest hook
	// of the name.
	getConn, tlsStart, wrote, firstByte time.Time
	// handshake is the duration of the latest handshake. It may be that of a
	// connection that the call does not use.
	handshake time.Duration
	closed    bool
	trace     admission.Trace
}

// send sets the hooks of the transport, before the review is sent.
func (t *tracer) send(body *review.Body, hooks *httptrace.ClientTrace) {
	if t == nil {
		return
	}
	t.trace.Request = body.Bytes
	t.wrote = time.Now()
	hooks.GetConn = func(string) { t.locked(func(now time.Time) { t.getConn = now }) }
	hooks.GotConn = func(got httptrace.GotConnInfo) {
		t.locked(func(now time.Time) { t.connected(now, got) })
	}
	hooks.TLSHandshakeStart = func() { t.locked(func(now time.Time) { t.tlsStart = now }) }
	hooks.TLSHandshakeDone = func(tls.ConnectionState, error) {
		t.locked(func(now time.Time) { t.handshake = now.Sub(t.tlsStart) })
	}
	hooks.WroteRequest = func(httptrace.WroteRequestInfo) {
		t.locked(func(now time.Time) { t.wrote = now })
	}
	hooks.GotFirstResponseByte = func() { t.locked(func(now time.Time) { t.firstByte = now }) }
}

// locked calls record with the time, unless the call has ended.
func (t *tracer) locked(record func(now time.Time)) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		record(now)
	}
}

// connected records a connection. It adds to the timings, because a redirect
// needs a second connection.
func (t *tracer) connected(now time.Time, got httptrace.GotConnInfo) {
	c := &t.trace.Connection
	c.Reused = got.Reused
	if got.Conn != nil && got.Conn.RemoteAddr() != nil {
		c.Address = got.Conn.RemoteAddr().String()
	}
	if !got.Reused {
		t.trace.Timing.TLS += t.handshake
		t.trace.Timing.Connect += max(now.Sub(t.getConn)-t.handshake, 0)
	}
	t.wrote, t.handshake = now, 0
}

// responded records the head of the response.
func (t *tracer) responded(response *http.Response) {
	if t == nil {
		return
	}
	t.locked(func(now time.Time) {
		t.trace.StatusCode, t.trace.Connection.Proto = response.StatusCode, response.Proto
		if state := response.TLS; state != nil {
			t.trace.Connection.TLS = &tls.ConnectionState{
				Version: state.Version, CipherSuite: state.CipherSuite, ServerName: state.ServerName,
				NegotiatedProtocol: state.NegotiatedProtocol, HandshakeComplete: state.HandshakeComplete,
			}
		}
		if t.firstByte.IsZero() { // the transport calls no hooks
			t.firstByte = now
		}
		t.trace.Timing.Wait = max(t.firstByte.Sub(t.wrote), 0)
	})
}

// received records the body of the response.
func (t *tracer) received(body []byte) {
	if t == nil {
		return
	}
	t.locked(func(now time.Time) {
		t.trace.Response = append([]byte{}, body...)
		t.trace.Timing.Read = now.Sub(t.firstByte)
	})
}

// patched records the object without and with the patch.
func (t *tracer) patched(p *patched) {
	if t != nil {
		t.trace.Before, t.trace.Patched = p.before, p.document
	}
}

// updated records the object as the next webhook sees it.
func (t *tracer) updated(v *versionedObjects) {
	if t == nil || v.encodedObject == nil {
		return
	}
	_ = guard.Do(func() { t.trace.After, _ = v.encodedObject() })
}

// close ends the trace and returns it.
func (t *tracer) close(began time.Time) *admission.Trace {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.trace.Began = true, began
	return &t.trace
}
