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

// goAwayServer serves HTTP/2 on a loopback address. It takes back its first requests with a
// GOAWAY frame, and responds to the others.
type goAwayServer struct {
	addr string
	ca   []byte
	// requests counts requests. Connections would be too many: net/http may offer one to the
	// next attempt after it took it back; then it dials twice for one attempt.
	requests atomic.Int32
	// goAways is the number of requests that get a GOAWAY frame.
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

// serve reads until the client closes the connection: if data were unread when it is closed,
// the client might receive a reset instead of the GOAWAY frame.
func (f *goAwayServer) serve(conn net.Conn) {
	defer conn.Close()
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
		if request, ok := frame.(*http2.HeadersFrame); ok {
			f.respond(framer, request.StreamID)
		}
	}
}

// respond sends a GOAWAY frame that does not cover the request, or status 200.
func (f *goAwayServer) respond(framer *http2.Framer, stream uint32) {
	if f.requests.Add(1) <= f.goAways {
		_ = framer.WriteGoAway(0, http2.ErrCodeNo, nil)
		return
	}
	const status200 = 0x88 // a field of HPACK's static table
	_ = framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: []byte{status200}, EndHeaders: true, EndStream: true,
	})
}

// afterGoAways calls do after some requests.
func (f *goAwayServer) afterGoAways(ctx context.Context, requests int32, do func()) {
	for f.requests.Load() < requests && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	do()
}

type goAwayRow struct {
	row
	goAways int32
	exact   bool
	// attempts is the number of requests, each on a new connection; the minimum if they
	// have no end.
	attempts int32
	err      string
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
			go f.afterGoAways(ctx, r.attempts, cancel)
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
		if n := f.requests.Load(); n != r.attempts && !(endless && n > r.attempts) {
			t.Errorf("%d requests, want %d", n, r.attempts)
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
