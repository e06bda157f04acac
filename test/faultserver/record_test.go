package faultserver_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/test/faultserver"
)

// TestForget: what was recorded is gone, what comes is counted, and a request
// that is in the middle, whose place in the record is gone with the others,
// goes on.
func TestForget(t *testing.T) {
	t.Parallel()
	script := mustParse(t, `{"connections":[{"tls":{"off":true}}],"requests":[[{"answer":{"body":{"text":"first"}}}],[{"answer":{"body":{"text":"other"}}}]]}`)
	onBoth(t, script, func(t *testing.T, s *server) {
		conn := dial(t, s)
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewReader(conn)
		send(t, conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nwhol")
		wants(t, answer(t, answers), "first", "the first request")
		send(t, conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nha")
		await(t, s, "half of the second body", func(r faultserver.Record) bool {
			return len(r.Requests) == 2 && r.Requests[1].Bytes == 2
		})
		s.Forget()
		counted(t, s, 2)
		send(t, conn, "lf")
		wants(t, answer(t, answers), "other", "the request that was under way")
		counted(t, s, 2)
		send(t, conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
		wants(t, answer(t, answers), "other", "scripts go by requests, whether they are recorded or not")
		counted(t, s, 3)
		s.Forget()
		counted(t, s, 3)
	})
}

// TestForgetOther: the second origin is as long-lived as the first.
func TestForgetOther(t *testing.T) {
	t.Parallel()
	script := mustParse(t, `{"requests":[[{"answer":{"status":308,"headers":[{"name":"Location","value":"{{other}}/"}]}}]],"other":{}}`)
	onBoth(t, script, func(t *testing.T, s *server) {
		s.Forget()
		client := s.Client()
		defer client.CloseIdleConnections()
		wants(t, post(t, client, s.URL(), 10*time.Second).text(), "200 "+allowed, "the client follows")
		counted(t, s, 1)
		counted(t, s.Other(), 1)
	})
}

// counted checks that there are no requests in the record but their number.
func counted(t *testing.T, s *server, want int) {
	t.Helper()
	r := s.Record()
	if diff := cmp.Diff([]int{0, want}, []int{len(r.Requests), r.More}); diff != "" || r.Bytes == 0 || r.Connections != 1 {
		t.Errorf("recorded and counted, -want +got:\n%s%+v", diff, r)
	}
}

func send(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

func answer(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	response, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
