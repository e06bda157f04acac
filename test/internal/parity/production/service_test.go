package production

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/memorynet"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

const (
	// late is how much later than the API server kube-proxy knows about a pod.
	late = 2 * time.Second
	// handling is how long a webhook takes for a review.
	handling = 50 * time.Millisecond
	// connecting is how long it takes to open a connection.
	connecting = time.Millisecond
	// dialTimeout is how long a dialer waits for an answer, as client-go's does.
	dialTimeout = 30 * time.Second
	// clusterIP is the address of the service.
	clusterIP = "10.96.0.1:443"
)

// life is what a webhook's pod does until it ends.
type life struct {
	// late is how much later clients know about a change.
	late time.Duration
	// start is how long the pod needs until it is ready.
	start time.Duration
	// deaf is how long a pod that is ready has not opened its port.
	deaf time.Duration
	// preStop is how long the pod serves on before SIGTERM.
	preStop time.Duration
	// drain has the process end what it began; otherwise SIGTERM ends it at once.
	drain bool
	// lost has the pod's node disappear: nothing is refused, and nothing arrives.
	lost bool
}

// pod is one webhook server.
type pod struct {
	address  string
	opened   time.Time
	listener *memorynet.Listener
	server   *http.Server
	lost     atomic.Bool
}

// service stands for a Service with kube-proxy: it opens each connection to one
// of the pods that it knows to be ready.
type service struct {
	life life
	// answer is how the webhook mutates; nil if it validates, and allows.
	answer    reviewtest.Answer
	authority *certs.Authority
	serving   sync.WaitGroup
	changes   sync.WaitGroup

	mu   sync.Mutex
	pods map[string]*pod // by address, from start to end
	// ready are the addresses that clients are sent to.
	ready []string
	next  int
	// calls are the reviews that each pod received, by address.
	calls map[string]int
}

// newService has some ready pods. It ends with the test, which runs in a bubble.
func newService(t *testing.T, l life, replicas int) *service {
	t.Helper()
	authority, err := certs.NewAuthority("webhooks")
	if err != nil {
		t.Fatal(err)
	}
	s := &service{life: l, authority: authority, pods: map[string]*pod{}, calls: map[string]int{}}
	for range replicas {
		p := s.run(t)
		s.ready = append(s.ready, p.address)
	}
	t.Cleanup(func() {
		s.changes.Wait()
		for _, p := range s.pods {
			_ = p.server.Close()
		}
		s.serving.Wait()
		time.Sleep(dialTimeout)
	})
	return s
}

// run starts a process.
func (s *service) run(t *testing.T) *pod {
	t.Helper()
	certificate, err := s.authority.Server("hook.test.svc")
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	p := &pod{address: fmt.Sprintf("10.0.0.%d:8443", s.next), listener: memorynet.Listen(s.next)}
	p.server = &http.Server{
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.count(p)
			// Only after the body does a server see that its client has left.
			body, _ := io.ReadAll(r.Body)
			time.Sleep(handling)
			if p.lost.Load() {
				<-r.Context().Done()
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if s.answer != nil {
				s.answer.ServeHTTP(w, r)
				return
			}
			reviewtest.Answer(reviewtest.Allow).ServeHTTP(w, r)
		}),
	}
	s.pods[p.address] = p
	s.serving.Go(func() { _ = p.server.ServeTLS(p.listener, "", "") })
	return p
}

func (s *service) count(p *pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[p.address]++
}

// add starts a pod and returns when it is ready, which clients learn later.
func (s *service) add(t *testing.T) {
	t.Helper()
	time.Sleep(s.life.start)
	p := s.run(t)
	p.opened = time.Now().Add(s.life.deaf)
	s.later(func() { s.ready = append(s.ready, p.address) })
}

// remove deletes a pod and returns when its process has ended. Clients learn
// later that it is not ready.
func (s *service) remove(address string) {
	s.later(func() {
		s.ready = slices.DeleteFunc(slices.Clone(s.ready), func(a string) bool { return a == address })
	})
	s.mu.Lock()
	p := s.pods[address]
	s.mu.Unlock()
	time.Sleep(s.life.preStop)
	switch {
	case s.life.lost:
		p.lost.Store(true)
	case s.life.drain:
		_ = p.server.Shutdown(context.Background())
	default:
		_ = p.server.Close()
	}
}

// later changes what clients know.
func (s *service) later(change func()) {
	s.changes.Go(func() {
		time.Sleep(s.life.late)
		s.mu.Lock()
		defer s.mu.Unlock()
		change()
	})
}

// known returns the addresses that clients are sent to.
func (s *service) known() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ready
}

// client is how one side reaches the service.
type client struct {
	service *service
	// endpoints has the resolver return the addresses of pods, not the service's.
	endpoints bool

	mu    sync.Mutex
	turn  int
	dials int
}

// pick returns the address of a ready pod, in turn.
func (c *client) pick() (string, bool) {
	ready := c.service.known()
	if len(ready) == 0 {
		return "", false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	return ready[c.turn%len(ready)], true
}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (c *client) ResolveEndpoint(_, name string, _ int32) (*url.URL, error) {
	if !c.endpoints {
		return &url.URL{Scheme: "https", Host: clusterIP}, nil
	}
	address, ok := c.pick()
	if !ok {
		return nil, fmt.Errorf("no endpoints available for service %q", name)
	}
	return &url.URL{Scheme: "https", Host: address}, nil
}

// dial opens a connection to a pod, or to the service.
func (c *client) dial(ctx context.Context, _, address string) (net.Conn, error) {
	time.Sleep(connecting)
	if address == clusterIP {
		address, _ = c.pick()
	}
	c.service.mu.Lock()
	p := c.service.pods[address]
	c.service.mu.Unlock()
	if p == nil || time.Now().Before(p.opened) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED),
			Addr: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))}
	}
	if p.lost.Load() {
		time.Sleep(dialTimeout)
		return nil, os.ErrDeadlineExceeded
	}
	conn, err := p.listener.Dial(ctx)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.dials++
	}
	return conn, err
}
