package client

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"example.com/gatehouse/internal/testutil/testtable"
)

// goAwayServer serves HTTP/2 on a loopback address. It sends GOAWAY on its
// first connections as soon as a request has arrived.
type goAwayServer struct {
	addr  string
	ca    []byte
	conns atomic.Int32
	// goAways is the number of connections that get a GOAWAY frame.
	goAways int32
}

func startGoAwayServer(t *testing.T, leaving int32) *goAwayServer {
	t.Helper()
	ca, cert := newCertificate(t, nil)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12,
	})
	if err != nil {
		t.Fatal(err)
	}
	f := &goAwayServer{addr: l.Addr().String(), ca: ca, goAways: leaving}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer context.AfterFunc(t.Context(), func() { _ = conn.Close() })()
				f.serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		serving.Wait()
	})
	return f
}

func (f *goAwayServer) serve(conn net.Conn) {
	defer conn.Close()
	// The TLS handshake happens at the first read; before it, the negotiated
	// protocol is unknown.
	if conn.(*tls.Conn).Handshake() != nil {
		return
	}
	if f.conns.Add(1) > f.goAways {
		(&http2.Server{}).ServeConn(conn, &http2.ServeConnOpts{Handler: http.HandlerFunc(ok)})
		return
	}
	sendGoAway(conn)
}

// sendGoAway waits for a request and sends a GOAWAY frame that does not cover it. It reads
// until the client closes the connection: if data were unread when it is closed, the client
// might receive a reset instead of the frame.
func sendGoAway(conn net.Conn) {
	if _, err := io.CopyN(io.Discard, conn, int64(len(http2.ClientPreface))); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	if framer.WriteSettings() != nil {
		return
	}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		if _, ok := frame.(*http2.HeadersFrame); ok {
			_ = framer.WriteGoAway(0, http2.ErrCodeNo, nil)
		}
	}
}

// afterGoAways calls do after conns connections.
func (f *goAwayServer) afterGoAways(ctx context.Context, conns int32, do func()) {
	for f.conns.Load() < conns && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	do()
}

type goAwayRow struct {
	row
	goAways int32
	exact   bool
	// conns is the number of attempts, each on a new connection; the minimum if they have
	// no end.
	conns int32
	err   string
}

func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	rows := []goAwayRow{
		{row{"none", "a server without GOAWAY"}, 0, false, 1, ""},
		{row{"once", "a server may shut down; the next one responds"}, 1, false, 2, ""},
		{row{"twice", "the last permitted connection is used"}, 2, false, 3, ""},
		{row{"always", "the number of handshakes is limited"}, 1 << 20, false, 3, "the server took back 3 HTTP/2 connections without answering"},
		{row{"five times, exact", "kube-apiserver's client has no limit"}, 5, true, 6, ""},
		{row{"always, exact", "it retries until the context ends"}, 1 << 20, true, 4, "context canceled"},
	}
	testtable.Run(t, rows, func(t *testing.T, r goAwayRow) {
		f := startGoAwayServer(t, r.goAways)
		c := newClient(t, Config{Exact: r.exact})
		e, err := c.Endpoint(t.Context(), urlHook("https://"+f.addr, f.ca))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		endless := r.exact && r.err != ""
		if endless {
			go f.afterGoAways(ctx, r.conns, cancel)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL.String(), strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := e.HTTP.Do(req)
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		if (err == nil) != (r.err == "") || err != nil && !strings.HasSuffix(err.Error(), r.err) {
			t.Errorf("error %v, want %q", err, r.err)
		}
		// net/http may offer a connection to the next attempt after it took it back; then it
		// dials twice for one attempt.
		most := 2 * r.conns
		if n := f.conns.Load(); n < r.conns || n > most && !endless {
			t.Errorf("%d connections, want %d to %d", n, r.conns, most)
		}
		c.Close()
	})
}

// negotiated is a connection with a negotiated protocol.
type negotiated struct {
	net.Conn
	protocol string
}

func (n *negotiated) ConnectionState() tls.ConnectionState {
	return tls.ConnectionState{NegotiatedProtocol: n.protocol}
}

// TestConnectionCount: a refused stream is sent again on the same connection,
// which counts once. HTTP/1.1 connections do not count.
func TestConnectionCount(t *testing.T) {
	t.Parallel()
	first, second := &negotiated{protocol: "h2"}, &negotiated{protocol: "h2"}
	var count connectionCount
	for _, conn := range []net.Conn{first, first, second, second, &negotiated{protocol: "http/1.1"}, nil} {
		count.add(conn)
	}
	if n := count.total(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}
