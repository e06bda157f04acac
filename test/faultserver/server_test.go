package faultserver_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/test/faultserver"
)

func TestRecord(t *testing.T) {
	t.Parallel()
	script := mustParse(t, `{"requests":[[{"answer":{"body":{"text":"x"}}}],[{"read":"headers"},{"close":true}]]}`)
	onBoth(t, script, func(t *testing.T, s *server) {
		client := s.Client()
		defer client.CloseIdleConnections()
		wants(t, post(t, client, s.URL(), 10*time.Second).text(), "200 x", "the first request")
		wants(t, post(t, client, s.URL(), 10*time.Second).text(), "EOF", "the second request, on the same connection")
		got := s.Record()
		if got.Bytes < int64(2*len(review)) {
			t.Errorf("%d bytes have arrived", got.Bytes)
		}
		for i := range got.Requests {
			got.Requests[i].Header = http.Header{"Content-Type": got.Requests[i].Header["Content-Type"]}
		}
		first := faultserver.Request{
			Proto: "HTTP/1.1", Method: "POST", Path: "/check", Host: s.Address(),
			Header: http.Header{"Content-Type": {"application/json"}},
			Body:   []byte(review), Bytes: int64(len(review)),
		}
		second := first
		second.Body, second.Bytes = nil, 0
		want := faultserver.Record{Connections: 1, Handshakes: 1, Bytes: got.Bytes, Requests: []faultserver.Request{first, second}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestOtherOrigin(t *testing.T) {
	t.Parallel()
	fault, _ := faultserver.Lookup("redirect-other")
	onBoth(t, fault.Script, func(t *testing.T, s *server) {
		if wants(t, ask(t, s, 10*time.Second).text(), "308 ", "the client does not follow"); s.Other().Record().Bytes != 0 {
			t.Error("the other origin was sent something")
		}
		client := s.Client()
		defer client.CloseIdleConnections()
		wants(t, post(t, client, s.URL(), 10*time.Second).text(), "200 "+allowed, "the client follows")
		if n := len(s.Other().Record().Requests); n != 1 {
			t.Errorf("the other origin has seen %d requests", n)
		}
		if s.Other().Address() == s.Address() {
			t.Error("the origins have one address")
		}
	})
}

// TestHosts stands in for webhooks with services and URLs: the client dials and
// verifies names that no resolver knows.
func TestHosts(t *testing.T) {
	t.Parallel()
	const good, foreign = `{}`, `{"connections":[{"tls":{"certificate":"wrong-name"}}]}`
	rows := []struct{ name, why, script, url, want string }{
		{"service", "any name will do", good, "https://hook.webhooks.svc:443", "200 " + allowed},
		{"IPv4", "the server is not told, but Dial is", good, "https://192.0.2.1", "200 " + allowed},
		{"IPv6", "the same in brackets", good, "https://[2001:db8::1]:8443", "200 " + allowed},
		{"zone", "it is a part of the address", good, "https://[fe80::1%25eth0]:8443", "200 " + allowed},
		{"other name", "messages have the name", foreign, "https://hook.webhooks.svc:443", "valid for wrong.invalid, not hook.webhooks.svc"},
		{"other name than an address", "messages have the address", foreign, "https://192.0.2.1", "cannot validate certificate for 192.0.2.1"},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, mustParse(t, row.script), func(t *testing.T, s *server) {
				client := s.Client()
				defer client.CloseIdleConnections()
				wants(t, post(t, client, row.url, 10*time.Second).text(), row.want, row.why)
			})
		})
	}
}

// TestSeveralHosts has one server stand in for several addresses at a time.
func TestSeveralHosts(t *testing.T) {
	t.Parallel()
	onBoth(t, faultserver.Script{}, func(t *testing.T, s *server) {
		client := s.Client()
		defer client.CloseIdleConnections()
		for _, url := range []string{"https://192.0.2.1", "https://192.0.2.2", s.URL()} {
			wants(t, post(t, client, url, 10*time.Second).text(), "200 "+allowed, url)
		}
	})
}

func TestClientCertificate(t *testing.T) {
	t.Parallel()
	fault, _ := faultserver.Lookup("client-certificate")
	authority, err := certs.NewAuthority("the client's own")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Issue(certs.Leaf{Client: true})
	if err != nil {
		t.Fatal(err)
	}
	onBoth(t, fault.Script, func(t *testing.T, s *server) {
		client := s.Client()
		defer client.CloseIdleConnections()
		client.Transport.(*http.Transport).TLSClientConfig.Certificates = []tls.Certificate{certificate}
		wants(t, post(t, client, s.URL(), 10*time.Second).text(), "200 "+allowed, "any certificate will do")
	})
}

func TestInMemoryRefusesSockets(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, why, script, want string }{
		{"reset", "memory has no RST", `{"requests":[[{"reset":true}]]}`, `step "reset" needs real sockets: use Listen`},
		{"half-close", "the point of it is the kernel", `{"requests":[[{"halfClose":true}]]}`, `step "halfClose" needs real sockets`},
		{"other origin", "it is on the same carrier", `{"other":{"connections":[{"before":[{"reset":true}]}]}}`, `step "reset" needs real sockets`},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := faultserver.InMemory(mustParse(t, row.script))
			if err == nil {
				t.Fatalf("no error (%s)", row.why)
			}
			wants(t, err.Error(), row.want, row.why)
		})
	}
}

func TestScriptsAreCheckedAtTheStart(t *testing.T) {
	t.Parallel()
	wrong := faultserver.Script{Requests: [][]faultserver.Step{{{}}}}
	for name, start := range map[string]func(faultserver.Script) (*server, error){
		"Listen": faultserver.Listen, "InMemory": faultserver.InMemory,
	} {
		if _, err := start(wrong); err == nil || !strings.Contains(err.Error(), "requests[0][0]") {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

// TestClose has clients that do nothing to make it easy.
func TestClose(t *testing.T) {
	t.Parallel()
	// Where the server is can be seen by what the client reads.
	nothing := func(net.Conn) error { return nil }
	begun := func(conn net.Conn) error {
		_, err := io.ReadFull(conn, make([]byte, 1))
		return err
	}
	ended := func(conn net.Conn) error {
		_, err := io.Copy(io.Discard, conn)
		return err
	}
	rows := []struct {
		name, why, script, send string
		read                    func(net.Conn) error
	}{
		{"silent client", "the handshake never begins", `{}`, "", nothing},
		{"half a hello", "the handshake never goes on", `{}`, "\x16\x03\x01\x02\x00\x01", nothing},
		{"half a request", "the headers never end", `{"connections":[{"tls":{"off":true}}]}`, "POST / HTTP/1.1\r\nHost: a", nothing},
		{"half a body", "the body never ends", `{"connections":[{"tls":{"off":true}}]}`, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n12", nothing},
		{"reads no more", "the answer never ends", `{"connections":[{"tls":{"off":true}}],"requests":[[{"answer":{"framing":"close","body":{"endless":true}}}]]}`, "POST / HTTP/1.1\r\nHost: a\r\n\r\n", begun},
		{"ignores the end", "the server has closed its side", `{"connections":[{"tls":{"off":true}}],"requests":[[{"close":true}]]}`, "POST / HTTP/1.1\r\nHost: a\r\n\r\n", ended},
		{"long sleep", "the server sleeps for an hour", `{"connections":[{"tls":{"off":true}}],"requests":[[{"write":{"text":"x"}},{"sleep":"1h"}]]}`, "POST / HTTP/1.1\r\nHost: a\r\n\r\n", begun},
		{"deaf", "the server does not even notice its client", `{"connections":[{"tls":{"off":true},"after":[{"read":"nothing"},{"hang":true}]}]}`, "x", nothing},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, mustParse(t, row.script), func(t *testing.T, s *server) {
				conn := dial(t, s)
				defer conn.Close()
				if _, err := io.WriteString(conn, row.send); err != nil {
					t.Fatal(err)
				}
				await(t, s, "what the client sends", func(r faultserver.Record) bool {
					return r.Connections == 1 && (row.name == "deaf" || r.Bytes == int64(len(row.send)))
				})
				if err := errors.Join(conn.SetReadDeadline(time.Now().Add(time.Minute)), row.read(conn)); err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took > 20*time.Second {
					t.Errorf("Close took %v (%s)", took, row.why)
				}
				if err := s.Close(); err != nil {
					t.Errorf("the second Close: %v", err)
				}
				if _, err := s.Dial(t.Context(), "tcp", s.Address()); err == nil {
					t.Error("a connection was made after Close")
				}
			})
		})
	}
}

// TestCloseEndsWhatNeverEnds has answers that take for ever to make, or to
// send. They keep the processor busy, under which virtual time would stand
// still. That something has not ended is an error of Close.
func TestCloseEndsWhatNeverEnds(t *testing.T) {
	t.Parallel()
	const h1, h2 = "http/1.1", "h2"
	rows := []struct{ name, why, protocol, step string }{
		{"length", "nothing is sent before the length is known", h1, `{"answer":{"body":{"text":{"repeat":"x","times":FOREVER}}}}`},
		{"length in HTTP/2", "the same", h2, `{"answer":{"body":{"text":{"repeat":"x","times":FOREVER}}}}`},
		{"numbered", "pieces that differ", h1, `{"answer":{"body":{"text":{"repeat":"{{i}}","times":FOREVER}}}}`},
		{"padded", "spaces are counted too", h1, `{"answer":{"body":{"pad":FOREVER}}}`},
		{"bomb", "so are compressed ones", h1, `{"answer":{"body":{"gzip":true,"pad":FOREVER}}}`},
		{"compressed", "much has to be made for a little", h1, `{"answer":{"body":{"gzip":true,"text":{"repeat":"x","times":FOREVER}}}}`},
		{"UTF-16", "no text is held as a whole", h1, `{"answer":{"body":{"charset":"utf-16le","text":{"repeat":"x","times":FOREVER}}}}`},
		{"Latin-1", "no text is held as a whole", h1, `{"answer":{"body":{"charset":"latin-1","text":{"repeat":"x","times":FOREVER}}}}`},
		{"patch", "nor in base64", h1, `{"answer":{"body":{"review":{"patch":{"repeat":"x","times":FOREVER}}}}}`},
		{"message", "nor when it is escaped", h1, `{"answer":{"body":{"review":{"status":{"message":{"repeat":"<","times":FOREVER}}}}}}`},
		{"headers", "there may be any number", h1, `{"answer":{"headers":[{"name":"X","value":"y","times":FOREVER}]}}`},
		{"headers in HTTP/2", "they are sent frame by frame", h2, `{"answer":{"headers":[{"name":"X","value":"y","times":FOREVER}]}}`},
		{"header", "one line without end", h1, `{"answer":{"headers":[{"name":"X","value":{"repeat":"y","times":FOREVER}}]}}`},
		{"header in HTTP/2", "it would have to be held", h2, `{"answer":{"headers":[{"name":"X","value":{"repeat":"y","times":FOREVER}}]}}`},
		{"interim", "any number, too", h1, `{"interim":{"code":103,"times":FOREVER}}`},
		{"interim in HTTP/2", "the same in frames", h2, `{"interim":{"code":103,"times":FOREVER}}`},
		{"written", "what is no message", h1, `{"write":{"text":{"repeat":"x","times":FOREVER}}}`},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			step := strings.ReplaceAll(row.step, "FOREVER", "4000000000000000000")
			// The client sees the first interim response when the server gets to the step.
			script := mustParse(t, `{"connections":[{"tls":{"alpn":["`+row.protocol+`"]}}],"requests":[[{"interim":{"code":103}},`+step+`]]}`)
			with(t, faultserver.Listen, script, func(t *testing.T, s *server) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				reached := make(chan struct{})
				reach := sync.OnceFunc(func() { close(reached) })
				asking := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
					Got1xxResponse: func(int, textproto.MIMEHeader) error { reach(); return nil },
				})
				got := make(chan string, 1)
				go func() { got <- askWith(t, asking, s).text() }()
				await(t, s, "the request", func(r faultserver.Record) bool {
					return len(r.Requests) == 1 && r.Requests[0].Bytes == int64(len(review))
				})
				select {
				case <-reached:
				case <-ctx.Done():
					t.Fatal("there is no interim response")
				}
				if err := s.Close(); err != nil {
					t.Errorf("%v (%s)", err, row.why)
				}
				wants(t, <-got, "error: ", row.why)
			})
		})
	}
}

func dial(t *testing.T, s *server) net.Conn {
	t.Helper()
	conn, err := s.Dial(t.Context(), "tcp", s.Address())
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// dialTLS connects with a protocol.
func dialTLS(t *testing.T, s *server, protocol string) net.Conn {
	t.Helper()
	config := s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	config.ServerName, config.NextProtos = "127.0.0.1", []string{protocol}
	return tls.Client(dial(t, s), config)
}

// TestKeepAliveClose keeps the connection of its first request itself: Go's
// client dials another one if the machine is busy.
func TestKeepAliveClose(t *testing.T) {
	t.Parallel()
	fault, _ := faultserver.Lookup("keep-alive-close")
	onBoth(t, fault.Script, func(t *testing.T, s *server) {
		conn := dialTLS(t, s, "http/1.1")
		defer conn.Close()
		answers := bufio.NewReader(conn)
		wants(t, askOn(t, conn, answers), "200 "+allowed, "the first request is allowed")
		wants(t, askOn(t, conn, answers), "error: unexpected EOF", "the second finds the connection closing")
		wants(t, ask(t, s, 10*time.Second).text(), "200 "+allowed, "the others are allowed")
		wantConnections(t, s, 0, 0, 1)
	})
}

// askOn asks on a connection whose answers are read from there.
func askOn(t *testing.T, conn net.Conn, answers *bufio.Reader) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://127.0.0.1/check", strings.NewReader(review))
	if err != nil {
		t.Fatal(err)
	}
	if err := request.Write(conn); err != nil {
		return reply{err: err}.text()
	}
	response, err := http.ReadResponse(answers, request)
	if err != nil {
		return reply{err: err}.text()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return reply{status: response.StatusCode, body: string(body), err: err}.text()
}

// TestPipelined sees with its own eyes what no client of HTTP would show: the
// exact bytes, and a second answer to one request.
func TestPipelined(t *testing.T) {
	t.Parallel()
	script := mustParse(t, `{"connections":[{"tls":{"off":true}}],"requests":[[
		{"interim":{"code":103,"headers":[{"name":"Link","value":"</a>"}]}},
		{"answer":{"headers":[{"name":"content-type","value":""},{"name":"X","value":"1","times":2}],"body":{"text":"a"}}},
		{"answer":{"proto":"HTTP/1.0","status":999,"framing":"chunked","body":{"text":"bc"},"bodyPace":{"split":[1]}}},
		{"close":true}]]}`)
	want := "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" +
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nX: 1\r\nX: 1\r\n\r\na" +
		"HTTP/1.0 999 Status\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"
	onBoth(t, script, func(t *testing.T, s *server) {
		conn := dial(t, s)
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(conn)
		if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
			t.Errorf("error %v, -want +got:\n%s", err, diff)
		}
	})
}

// TestVirtualTime measures what a pace comes to, which only a clock that stands
// still between events can tell exactly.
func TestVirtualTime(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, why, steps string
		want             time.Duration
	}{
		{"sleep", "as long as it says", `{"sleep":"30s"},{"answer":{}}`, 30 * time.Second},
		{"rate", "a byte each 100 ms", `{"answer":{"body":{"text":"0123456789"},"bodyPace":{"rate":10}}}`, 900 * time.Millisecond},
		{"high rate", "parts of a hundredth", `{"answer":{"body":{"text":[{"repeat":"x","times":2000}]},"bodyPace":{"rate":1000}}}`, 1990 * time.Millisecond},
		{"split", "a pause at each offset", `{"answer":{"body":{"text":"0123456789"},"bodyPace":{"split":[2,5],"pause":"1s"}}}`, 2 * time.Second},
		{"rate and split", "both", `{"answer":{"body":{"text":"0123"},"bodyPace":{"rate":1,"split":[2],"pause":"10s"}}}`, 13 * time.Second},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			script := mustParse(t, `{"requests":[[`+row.steps+`]]}`)
			synctest.Test(t, func(t *testing.T) {
				with(t, faultserver.InMemory, script, func(t *testing.T, s *server) {
					if diff := cmp.Diff(row.want, ask(t, s, time.Minute).took); diff != "" {
						t.Errorf("-want +got (%s):\n%s", row.why, diff)
					}
				})
			})
		})
	}
}
