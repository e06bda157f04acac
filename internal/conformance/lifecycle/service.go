package lifecycle

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// service forwards each connection to the endpoint at that time, as a Service does.
// A later change of the endpoint does not affect the connection.
type service struct {
	listener net.Listener
	endpoint atomic.Pointer[string]
	// requests counts the reads from clients. That is the number of requests if
	// requests are small and a client waits for each response.
	requests atomic.Int64
	// every is the time between two of them, if it is not 0.
	every atomic.Int64
	turn  sync.Mutex

	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// newService returns a service on a new port. The caller must close it.
func newService(ctx context.Context, endpoint string) (*service, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("forwarding to %s: %w", endpoint, err)
	}
	s := &service{listener: listener}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.endpoint.Store(&endpoint)
	s.running.Go(s.accept)
	return s, nil
}

// address is where the service accepts connections.
func (s *service) address() string { return s.listener.Addr().String() }

// close ends all connections.
func (s *service) close() {
	s.cancel()
	_ = s.listener.Close() // no connection is still in use
	s.running.Wait()
}

// limit sets the minimum time between two requests; 0 is no limit.
func (s *service) limit(every time.Duration) { s.every.Store(int64(every)) }

func (s *service) accept() {
	for {
		from, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.running.Go(func() { s.forward(from.(*net.TCPConn)) })
	}
}

// forward forwards a connection until both sides have closed it. Without an
// endpoint that accepts it, the client gets a reset.
func (s *service) forward(from *net.TCPConn) {
	defer from.Close()
	dialed, err := new(net.Dialer).DialContext(s.ctx, "tcp", *s.endpoint.Load())
	if err != nil {
		_ = from.SetLinger(0)
		return
	}
	to := dialed.(*net.TCPConn)
	defer to.Close()
	defer context.AfterFunc(s.ctx, func() {
		_ = from.Close()
		_ = to.Close()
	})()
	var back sync.WaitGroup
	back.Go(func() { pass(from, to) })
	pass(to, requests{from, s})
	back.Wait()
}

// pass copies what one side sends, and closes to when that side has closed; after
// an error with a reset.
func pass(to *net.TCPConn, from io.Reader) {
	if _, err := io.Copy(struct{ io.Writer }{to}, from); err != nil {
		_ = to.SetLinger(0)
		_ = to.Close()
		return
	}
	_ = to.CloseWrite() // the other side may have gone
}

// requests is the stream of requests from a client.
type requests struct {
	net.Conn
	of *service
}

// Read reads, and returns when the rate limit allows the request.
func (q requests) Read(p []byte) (int, error) {
	n, err := q.Conn.Read(p)
	if n > 0 {
		q.of.requests.Add(1)
		if every := time.Duration(q.of.every.Load()); every > 0 {
			q.of.turn.Lock()
			defer q.of.turn.Unlock()
			pause(q.of.ctx, time.Duration(q.of.every.Load()))
		}
	}
	return n, err
}
