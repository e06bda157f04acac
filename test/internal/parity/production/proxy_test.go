package production

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	proxyUser     = "proxy-user"
	proxyPassword = "proxy-passw0rd"
	hookToken     = "hook-t0ken"
)

// fault is what a proxy does wrong.
type fault uint8

const (
	none fault = iota
	dead
	hangs
	// refuses answers 407.
	refuses
	// hangsUp closes the connection instead of answering.
	hangsUp
	// endsTunnel closes the connection after it has answered 200.
	endsTunnel
	// babbles sends what is not TLS in the tunnel.
	babbles
)

// proxy is an HTTP proxy that knows CONNECT, and one webhook.
type proxy struct {
	listener net.Listener
	hook     *server
	working  sync.WaitGroup

	mu    sync.Mutex
	fault fault
	// targets are those of CONNECT requests.
	targets []string
	// credentials are the Proxy-Authorization of each.
	credentials []string
	// sent is what clients sent.
	sent bytes.Buffer
	open map[net.Conn]bool
}

// startProxy serves on a listener until the end of the test.
func startProxy(t *testing.T, l net.Listener, hook *server) *proxy {
	t.Helper()
	p := &proxy{listener: l, hook: hook, open: map[net.Conn]bool{}}
	p.working.Go(p.accept)
	t.Cleanup(func() {
		p.set(dead)
		_ = l.Close()
		p.working.Wait()
	})
	return p
}

// set changes what the proxy does wrong. One that is dead closes what is open.
func (p *proxy) set(f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
	if f == dead {
		for conn := range p.open {
			_ = conn.Close()
		}
	}
}

func (p *proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.working.Go(func() {
			defer conn.Close()
			if p.admit(conn) {
				p.serve(conn)
			}
		})
	}
}

// admit reports whether the proxy lives.
func (p *proxy) admit(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[conn] = true
	return p.fault != dead
}

// Write records what clients sent.
func (p *proxy) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent.Write(b)
}

// serve reads a CONNECT request and answers it.
func (p *proxy) serve(conn net.Conn) {
	received := bufio.NewReader(io.TeeReader(conn, p))
	request, err := http.ReadRequest(received)
	if err != nil {
		return
	}
	switch p.note(request) {
	case hangs:
		_, _ = io.Copy(io.Discard, received)
	case refuses:
		_, _ = io.WriteString(conn, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
	case hangsUp:
	case endsTunnel:
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	case babbles:
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		_, _ = received.Peek(1) // the client has begun its handshake
		_, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
		_, _ = io.Copy(io.Discard, received)
	default:
		p.tunnel(conn, received)
	}
}

func (p *proxy) note(r *http.Request) fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.targets = append(p.targets, r.Method+" "+r.RequestURI)
	p.credentials = append(p.credentials, r.Header.Get("Proxy-Authorization"))
	return p.fault
}

func (p *proxy) tunnel(conn net.Conn, received io.Reader) {
	hook, err := p.hook.listener.Dial(context.Background())
	if err != nil {
		return
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	p.working.Go(func() {
		_, _ = io.Copy(conn, hook)
		_ = conn.Close()
	})
	_, _ = io.Copy(hook, received)
	_ = hook.Close()
}

// expect compares what the proxy received with what it may receive: the address
// of the webhook, its own credentials, and nothing that can be read.
func (p *proxy) expect(t *testing.T, target, credentials string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.targets) == 0 || slices.ContainsFunc(p.targets, func(s string) bool { return s != "CONNECT "+target }) {
		t.Errorf("the proxy was asked for %q, want only CONNECT %s", p.targets, target)
	}
	if slices.ContainsFunc(p.credentials, func(s string) bool { return s != credentials }) {
		t.Errorf("the proxy was sent %q, want %q", p.credentials, credentials)
	}
	for _, secret := range []string{confidential, hookToken, "AdmissionReview"} {
		if strings.Contains(p.sent.String(), secret) {
			t.Errorf("the proxy saw %s", secret)
		}
	}
}

// check returns the text of an error in which no secret may be.
func check(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	text := err.Error()
	for _, secret := range []string{confidential, hookToken, proxyUser, proxyPassword, basic()} {
		if strings.Contains(text, secret) {
			t.Errorf("the error contains %s: %s", secret, text)
		}
	}
	return text
}
