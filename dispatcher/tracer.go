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

// tracer follows a call for its Trace. A nil tracer is for a call that nobody wants
// to see from close up; its methods do nothing.
type tracer struct {
	// The transport reports from goroutines of its own, and goes on connecting for
	// others when a call has ended.
	mu sync.Mutex
	// asked is when a connection was asked for, shaking when a handshake began, and
	// answering when the answer did.
	asked, shaking, wrote, answering time.Time
	// shaken is how long the handshake took, which need not be that of the connection
	// that comes to be used.
	shaken time.Duration
	closed bool
	trace  admission.Trace
}

// send notes that a review is about to be sent, and has the transport report.
func (t *tracer) send(body *review.Body, hooks *httptrace.ClientTrace) {
	if t == nil {
		return
	}
	t.trace.Request = body.Bytes
	t.wrote = time.Now()
	hooks.GetConn = func(string) { t.note(func(now time.Time) { t.asked = now }) }
	hooks.GotConn = func(got httptrace.GotConnInfo) { t.note(func(now time.Time) { t.connected(now, got) }) }
	hooks.TLSHandshakeStart = func() { t.note(func(now time.Time) { t.shaking = now }) }
	hooks.TLSHandshakeDone = func(tls.ConnectionState, error) {
		t.note(func(now time.Time) { t.shaken = now.Sub(t.shaking) })
	}
	hooks.WroteRequest = func(httptrace.WroteRequestInfo) { t.note(func(now time.Time) { t.wrote = now }) }
	hooks.GotFirstResponseByte = func() { t.note(func(now time.Time) { t.answering = now }) }
}

// note runs what a hook has to say, unless the call has ended.
func (t *tracer) note(what func(now time.Time)) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		what(now)
	}
}

// connected adds up: a redirect needs a second connection.
func (t *tracer) connected(now time.Time, got httptrace.GotConnInfo) {
	c := &t.trace.Connection
	c.Reused = got.Reused
	if got.Conn != nil && got.Conn.RemoteAddr() != nil {
		c.Address = got.Conn.RemoteAddr().String()
	}
	if !got.Reused {
		t.trace.Timing.TLS += t.shaken
		t.trace.Timing.Connect += max(now.Sub(t.asked)-t.shaken, 0)
	}
	t.wrote, t.shaken = now, 0
}

// answered notes the head of the answer.
func (t *tracer) answered(response *http.Response) {
	if t == nil {
		return
	}
	t.note(func(now time.Time) {
		t.trace.StatusCode, t.trace.Connection.Proto = response.StatusCode, response.Proto
		if state := response.TLS; state != nil {
			t.trace.Connection.TLS = &tls.ConnectionState{
				Version: state.Version, CipherSuite: state.CipherSuite, ServerName: state.ServerName,
				NegotiatedProtocol: state.NegotiatedProtocol, HandshakeComplete: state.HandshakeComplete,
			}
		}
		if t.answering.IsZero() { // nobody else said so
			t.answering = now
		}
		t.trace.Timing.Wait = max(t.answering.Sub(t.wrote), 0)
	})
}

// received notes the whole answer.
func (t *tracer) received(body []byte) {
	if t == nil {
		return
	}
	t.note(func(now time.Time) {
		t.trace.Response = append([]byte{}, body...)
		t.trace.Timing.Read = now.Sub(t.answering)
	})
}

// patched notes what a patch made of the object.
func (t *tracer) patched(p *patched) {
	if t != nil {
		t.trace.Before, t.trace.Patched = p.before, p.document
	}
}

// updated notes the object as the next webhook will see it.
func (t *tracer) updated(v *versioned) {
	if t == nil || v.object == nil {
		return
	}
	_ = guard.Do(func() { t.trace.After, _ = v.object() })
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
