package faultserver_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"example.com/gatehouse/test/faultserver"
)

// TestGoAway reads the frames itself. Go's client shows in its error no GOAWAY
// after which it tries again, and other ends of a connection look like some
// that it does show.
func TestGoAway(t *testing.T) {
	t.Parallel()
	named := func(name string) faultserver.Script {
		fault, _ := faultserver.Lookup(name)
		return fault.Script
	}
	const none = `{"connections":[{"tls":{"alpn":["h2"]}}],"requests":[[{"close":true}]]}`
	const first = `{"connections":[{"tls":{"alpn":["h2"]},"after":[{"goAway":{"code":"INADEQUATE_SECURITY"}},{"close":true}]}]}`
	rows := []struct {
		name, why string
		script    faultserver.Script
		want      string
	}{
		{"goaway", "the request is not taken, and nothing is wrong with it", named("goaway"), "NO_ERROR after stream 0"},
		{"goaway-once", "the same, once", named("goaway-once"), "NO_ERROR after stream 0"},
		{"enhance-your-calm", "the request was taken, and it was too much", named("enhance-your-calm"), "ENHANCE_YOUR_CALM after stream 1"},
		{"at the beginning", "a connection may be refused before its first request", mustParse(t, first), "INADEQUATE_SECURITY after stream 0"},
		{"none", "a connection that just ends must look otherwise", mustParse(t, none), "EOF"},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, row.script, func(t *testing.T, s *server) { wants(t, goAwayOf(t, s), row.want, row.why) })
		})
	}
}

// goAwayOf makes a request and returns the GOAWAY that the server sends, or the
// error at which the connection ends.
func goAwayOf(t *testing.T, s *server) string {
	t.Helper()
	conn := dialTLS(t, s, "h2")
	defer conn.Close()
	// A server that has said all that it has to may hang up on a client that
	// still writes.
	framer := http2.NewFramer(conn, conn)
	_, _ = io.WriteString(conn, http2.ClientPreface)
	_ = framer.WriteSettings()
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: headOf(s), EndHeaders: true})
	_ = framer.WriteData(1, true, []byte(review))
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return err.Error()
		}
		if away, ok := frame.(*http2.GoAwayFrame); ok {
			return fmt.Sprintf("%v after stream %d", away.ErrCode, away.LastStreamID)
		}
	}
}

// headOf is the head of a request in HTTP/2.
func headOf(s *server) []byte {
	var head bytes.Buffer
	encoder := hpack.NewEncoder(&head)
	for _, field := range []hpack.HeaderField{
		{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: s.Address()}, {Name: ":path", Value: "/check"},
	} {
		_ = encoder.WriteField(field) // to memory
	}
	return head.Bytes()
}

// TestGoAwayOnce counts the connections of Go's own client.
func TestGoAwayOnce(t *testing.T) {
	t.Parallel()
	fault, _ := faultserver.Lookup("goaway-once")
	onBoth(t, fault.Script, func(t *testing.T, s *server) {
		client := s.Client()
		defer client.CloseIdleConnections()
		for range 2 {
			wants(t, post(t, client, s.URL(), 10*time.Second).text(), "200 "+allowed, fault.Summary)
		}
		wantConnections(t, s, 0, 1, 1)
	})
}

// wantConnections wants requests to have arrived on these connections.
func wantConnections(t *testing.T, s *server, want ...int) {
	t.Helper()
	var got []int
	for _, r := range s.Record().Requests {
		got = append(got, r.Connection)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests have arrived on these connections (-want +got):\n%s", diff)
	}
}
