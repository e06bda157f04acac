package faultserver_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/test/faultserver"
)

// TestHTTP2 asks Go's own client, which chooses HTTP/2 when it is offered.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, why, script string // of the requests
		want              string
		connections       int // at least
	}{
		{"answer", "HTTP/2 works", `[{"answer":{"body":{"text":"{{uid}} {{self}}"}}}]`, "200 u1 https://127.0.0.1:", 1},
		{"no body", "the headers end the stream", `[{"answer":{"status":503}}]`, "503 ", 1},
		{"interim", "informational headers", `[{"interim":{"code":103,"times":2}},{"answer":{"body":{"text":"x"}}}]`, "200 x", 1},
		{"large body", "more than the client allows at once", `[{"answer":{"body":{"text":[{"repeat":"x","times":1000000}]}}}]`, "200 xxx", 1},
		{"too large", "flow control stops the server", `[{"answer":{"framing":"chunked","body":{"endless":true}}}]`, "too large", 1},
		{"many headers", "more than a frame holds", `[{"answer":{"headers":[{"name":"X-Filler","value":[{"repeat":"x","times":1000}],"times":50}],"body":{"text":"x"}}}]`, "200 x", 1},
		{"sleep", "slow, but in time", `[{"sleep":"50ms"},{"answer":{"body":{"text":"x"},"bodyPace":{"rate":1000}}}]`, "200 x", 1},
		{"read headers", "before the body is there", `[{"read":"headers"},{"answer":{"body":{"text":"x"}}}]`, "200 x", 1},
		{"read some", "a part of the body", `[{"read":"10"},{"answer":{"body":{"text":"x"}}}]`, "200 x", 1},
		{"read more", "the end of the body is enough", `[{"read":"100000"},{"answer":{"body":{"text":"x"}}}]`, "200 x", 1},
		{"hang", "no answer", `[{"hang":true}]`, "deadline exceeded", 1},
		{"no steps", "a request without an answer is cancelled", `[]`, "CANCEL", 1},
		{"unfinished", "no end of the stream", `[{"answer":{"framing":"chunked","unfinished":true,"body":{"text":"x"}}},{"hang":true}]`, "deadline exceeded", 1},
		{"wrong length", "Go notices", `[{"answer":{"length":5,"body":{"text":"x"}}}]`, "unexpected EOF", 1},
		{"truncated", "a stream that is reset in its body", `[{"answer":{"stop":1,"body":{"text":"xyz"}}},{"resetStream":"INTERNAL_ERROR"}]`, "INTERNAL_ERROR", 1},
		{"reset of the stream", "by its code", `[{"resetStream":"INTERNAL_ERROR"}]`, "INTERNAL_ERROR", 1},
		{"refused once", "the client may repeat, and does", `[{"resetStream":"REFUSED_STREAM"}],[{"answer":{"body":{"text":"x"}}}]`, "200 x", 1},
		{"GOAWAY once", "the client may repeat, on another connection", `[{"goAway":{}},{"close":true}],[{"answer":{"body":{"text":"x"}}}]`, "200 x", 2},
		{"GOAWAY with an error", "the client may not", `[{"goAway":{"code":"ENHANCE_YOUR_CALM","lastStream":1}},{"close":true}]`, "ENHANCE_YOUR_CALM", 1},
		{"GOAWAY after this one", "the request is answered all the same", `[{"goAway":{"lastStream":1}},{"answer":{"body":{"text":"x"}}}]`, "200 x", 1},
		{"not frames", "bytes that make no frame", `[{"write":{"text":"SSH-2.0-OpenSSH_9\r\n"}},{"close":true}]`, "error: ", 1},
		{"close", "the connection ends", `[{"close":true}]`, "error: ", 1},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			script := mustParse(t, `{"connections":[{"tls":{"alpn":["h2"]}}],"requests":[`+row.script+`]}`)
			onBoth(t, script, func(t *testing.T, s *server) {
				patience := 10 * time.Second
				if row.want == "deadline exceeded" {
					patience = 3 * time.Second // in which a busy machine gets the request across
				}
				wants(t, ask(t, s, patience).text(), row.want, row.why)
				record := s.Record()
				if record.Connections < row.connections || len(record.Requests) == 0 || record.Requests[0].Proto != "HTTP/2.0" {
					t.Errorf("got %d connections, want %d; %+v", record.Connections, row.connections, record.Requests)
				}
			})
		})
	}
}

// TestHTTP2LongHead has more in a head than may be held.
func TestHTTP2LongHead(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, why, headers string }{
		{"one value", "it is wanted as a whole", `{"name":"X","value":{"repeat":"y","times":17000000}}`},
		{"two values", "together they are too long", `{"name":"X","value":{"repeat":"y","times":9000000}},{"name":"Y","value":{"repeat":"y","times":9000000}}`},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			script := mustParse(t, `{"connections":[{"tls":{"alpn":["h2"]}}],"requests":[[{"answer":{"headers":[`+row.headers+`]}}],[{"answer":{"body":{"text":"x"}}}]]}`)
			onBoth(t, script, func(t *testing.T, s *server) {
				client := s.Client()
				defer client.CloseIdleConnections()
				wants(t, post(t, client, s.URL(), 10*time.Second).text(), "CANCEL", row.why)
				wants(t, strings.Join(s.Record().Problems, "\n"), "answer: that cannot be done here: in HTTP/2 the values of a head can have 16777216 bytes", "the record says so")
				wants(t, post(t, client, s.URL(), 10*time.Second).text(), "200 x", "the connection is as good as before")
				if n := s.Record().Connections; n != 1 {
					t.Errorf("%d connections", n)
				}
			})
		})
	}
}

// TestHTTP2Storm counts what a client does that is told GOAWAY again and again.
func TestHTTP2Storm(t *testing.T) {
	t.Parallel()
	const times = 5
	away := strings.Repeat(`[{"read":"headers"},{"sleep":"10ms"},{"goAway":{}},{"close":true}],`, times)
	script := mustParse(t, `{"connections":[{"tls":{"alpn":["h2"]}}],"requests":[`+away+`[{"answer":{"body":{"text":"x"}}}]]}`)
	onBoth(t, script, func(t *testing.T, s *server) {
		wants(t, ask(t, s, 10*time.Second).text(), "200 x", "the client has tried until the request was taken")
		if n := s.Record().Connections; n != times+1 {
			t.Errorf("%d connections, want %d", n, times+1)
		}
	})
}

// TestHTTP2LargeRequest sends more than the server allows at once.
func TestHTTP2LargeRequest(t *testing.T) {
	t.Parallel()
	script := mustParse(t, `{"connections":[{"tls":{"alpn":["h2"]}}],"requests":[[{"answer":{"body":{"text":"x"}}}],[{"read":"nothing"},{"hang":true}]]}`)
	onBoth(t, script, func(t *testing.T, s *server) {
		client := s.Client()
		defer client.CloseIdleConnections()
		big := strings.Repeat("x", 200_000)
		wants(t, postWith(t, t.Context(), client, s.URL(), big).text(), "200 x", "it is read")
		if n := s.Record().Requests[0].Bytes; n != int64(len(big)) {
			t.Errorf("%d bytes have arrived", n)
		}
		// There is time for more of it to come.
		ctx := until(t, s, 200*time.Millisecond, func(r faultserver.Record) bool { return len(r.Requests) > 1 })
		wants(t, postWith(t, ctx, client, s.URL(), big).text(), "error: ", "a request that is not read is not answered")
		if n := s.Record().Requests[1].Bytes; n > 65535 {
			t.Errorf("%d bytes have arrived of what is not read", n)
		}
	})
}

// until returns a context that ends when the record has become so, and some
// time has gone by since then.
func until(t *testing.T, s *server, since time.Duration, so func(faultserver.Record) bool) context.Context {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(end)
	go func() {
		for !so(s.Record()) && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(since)
		end()
	}()
	return ctx
}

// TestProblems has a client that does not choose HTTP/2.
func TestProblems(t *testing.T) {
	t.Parallel()
	fault, _ := faultserver.Lookup("rst-stream")
	onBoth(t, fault.Script, func(t *testing.T, s *server) {
		client := s.Client()
		defer client.CloseIdleConnections()
		transport := client.Transport.(*http.Transport)
		transport.ForceAttemptHTTP2 = false
		transport.TLSClientConfig.NextProtos = []string{"http/1.1"}
		wants(t, post(t, client, s.URL(), 10*time.Second).text(), "EOF", "the step cannot be done")
		wants(t, strings.Join(s.Record().Problems, "\n"), "resetStream: that cannot be done here: the client did not choose HTTP/2", "the record says so")
	})
}
