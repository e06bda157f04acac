package portforward

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/streaming/pkg/httpstream"
)

// pod is the port-forward of a pod.
type pod struct {
	name       types.NamespacedName
	connection httpstream.Connection
	// requests counts the connections.
	requests atomic.Int64
	// deaf says that the API server did not accept a stream.
	deaf atomic.Bool
}

// isOver reports whether the port-forward has ended, or is of no use.
func (p *pod) isOver() bool {
	if p.deaf.Load() {
		return true
	}
	select {
	case <-p.connection.CloseChan():
		return true
	default:
		return false
	}
}

// tunnel is a connection to a port of a pod. Its streams have the other end of the pipe,
// which has the deadlines that streams lack.
type tunnel struct {
	net.Conn
	// err is why the streams have ended; nil if the pod has closed the connection, and
	// before they end.
	err atomic.Pointer[error]
}

// Read implements net.Conn.
func (t *tunnel) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	return n, t.reason(err)
}

// Write implements net.Conn.
func (t *tunnel) Write(p []byte) (int, error) {
	n, err := t.Conn.Write(p)
	return n, t.reason(err)
}

// reason returns the error of the streams in place of that of the pipe.
func (t *tunnel) reason(err error) error {
	if own := t.err.Load(); err != nil && own != nil {
		return *own
	}
	return err
}

// dial opens a connection to a port, which ends with ctx. It calls failed if the streams end
// by an error.
func (p *pod) dial(ctx context.Context, port string, failed func()) net.Conn {
	near, far := net.Pipe()
	t := &tunnel{Conn: near}
	go func() {
		defer far.Close()
		defer context.AfterFunc(ctx, func() { _ = far.Close() })()
		if err := p.forward(far, port); err != nil {
			err = fmt.Errorf("the port-forward to port %s of pod %s: %w", port, p.name, err)
			t.err.Store(&err)
			failed()
		}
	}()
	return t
}

// forward copies between an end of a pipe and the streams for a port, until either ends. The
// error is that of the pod or of the port-forward, and nil if a connection was closed.
func (p *pod) forward(far net.Conn, port string) error {
	request := strconv.FormatInt(p.requests.Add(1), 10)
	reasons, err := p.stream(corev1.StreamTypeError, port, request)
	if err != nil {
		return err
	}
	defer p.end(reasons)
	_ = reasons.Close() // only the pod writes
	data, err := p.stream(corev1.StreamTypeData, port, request)
	if err != nil {
		return err
	}
	defer p.end(data)

	reason := make(chan string, 1)
	go func() {
		text := readReason(reasons)
		if text != "" {
			_ = data.Reset() // the pod may leave it open
		}
		reason <- text
	}()
	var closed atomic.Bool
	go func() {
		_, err := io.Copy(data, far)
		closed.Store(err == nil)
		_ = data.Reset()
		_ = reasons.Reset()
	}()
	_, _ = io.Copy(far, data) // the reason is in the other stream
	switch text := <-reason; {
	case text != "":
		return errors.New(text)
	case p.isOver() && !closed.Load():
		return errors.New("it has ended")
	}
	return nil
}

// stream creates a stream of a type for a port.
func (p *pod) stream(of, port, request string) (httpstream.Stream, error) {
	header := http.Header{}
	header.Set(corev1.StreamType, of)
	header.Set(corev1.PortHeader, port)
	header.Set(corev1.PortForwardRequestIDHeader, request)
	s, err := p.connection.CreateStream(header)
	if err != nil {
		p.deaf.Store(true)
	}
	return s, err
}

// end ends a stream. The connection keeps those that have ended, too.
func (p *pod) end(s httpstream.Stream) {
	_ = s.Reset()
	p.connection.RemoveStreams(s)
}

// readReason returns what the pod has against a connection, when it has said all of it; "" if
// there is nothing. A pod that is not read would block the other streams.
func readReason(from io.Reader) string {
	const maxReason = 4 << 10
	text, _ := io.ReadAll(io.LimitReader(from, maxReason)) // what is missing is not known
	_, _ = io.Copy(io.Discard, from)
	return oneLine(string(text))
}
