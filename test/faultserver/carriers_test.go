package faultserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/test/faultserver"
)

type server = faultserver.Server

// review is what the tests ask.
const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u1"}}`

// allowed is the answer of a webhook that behaves.
const allowed = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u1","allowed":true}}`

// onBoth runs a test on sockets and, unless the script needs those, in memory
// under virtual time.
func onBoth(t *testing.T, script faultserver.Script, test func(t *testing.T, s *faultserver.Server)) {
	t.Helper()
	t.Run("sockets", func(t *testing.T) {
		t.Parallel()
		with(t, faultserver.Listen, script, test)
	})
	if script.NeedsSockets() != "" {
		return
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { with(t, faultserver.InMemory, script, test) })
	})
}

func with(t *testing.T, start func(faultserver.Script) (*faultserver.Server, error), script faultserver.Script, test func(*testing.T, *faultserver.Server)) {
	t.Helper()
	server, err := start(script)
	if err != nil {
		t.Fatalf("starting: %v", err)
	}
	defer func() {
		if err := server.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}()
	test(t, server)
}

// reply is what a client saw.
type reply struct {
	status int
	header http.Header
	body   string
	took   time.Duration
	err    error
}

// text is what rows are compared with.
func (r reply) text() string {
	if r.err != nil {
		return "error: " + r.err.Error()
	}
	return fmt.Sprintf("%d %s", r.status, r.body)
}

// enough is what a client reads of a body.
const enough = 1 << 20

// post asks once, reading no more of the answer than a client should.
func post(t *testing.T, client *http.Client, url string, patience time.Duration) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return postWith(t, ctx, client, url, review)
}

func postWith(t *testing.T, ctx context.Context, client *http.Client, url, text string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/check", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	start := time.Now()
	response, err := client.Do(request)
	if err != nil {
		return reply{err: err, took: time.Since(start)}
	}
	defer response.Body.Close()
	var body []byte
	if response.StatusCode != http.StatusSwitchingProtocols { // after which Go would wait for ever
		body, err = io.ReadAll(io.LimitReader(response.Body, enough+1))
	}
	if len(body) > enough {
		err = errors.New("the body is too large")
	}
	return reply{status: response.StatusCode, header: response.Header, body: string(body), took: time.Since(start), err: err}
}

// ask posts with a new client that follows no redirects.
func ask(t *testing.T, s *faultserver.Server, patience time.Duration) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return askWith(t, ctx, s)
}

func askWith(t *testing.T, ctx context.Context, s *faultserver.Server) reply {
	t.Helper()
	client := s.Client()
	defer client.CloseIdleConnections()
	client.Transport.(*http.Transport).MaxResponseHeaderBytes = enough // Go's own limit is ten times as much
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return postWith(t, ctx, client, s.URL(), review)
}

// await waits until the record is as a test needs it.
func await(t *testing.T, s *faultserver.Server, what string, ready func(faultserver.Record) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !ready(s.Record()) {
		select {
		case <-ctx.Done():
			t.Fatalf("waiting for %s: %v; the record is %+v", what, ctx.Err(), s.Record())
		case <-time.After(time.Millisecond):
		}
	}
}

func mustParse(t *testing.T, text string) faultserver.Script {
	t.Helper()
	script, err := faultserver.Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%s): %v", text, err)
	}
	return script
}

// unique fails the test on a row without a reason or with a name that is taken.
func unique(t *testing.T) func(name, why string) {
	t.Helper()
	seen := map[string]bool{}
	return func(name, why string) {
		t.Helper()
		if why == "" || seen[name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", name)
		}
		seen[name] = true
	}
}

func wants(t *testing.T, got, want, why string) {
	t.Helper()
	if !strings.Contains(got, want) {
		if len(got) > 300 {
			got = got[:300] + "..."
		}
		t.Errorf("got %s\nwant %s\n(%s)", got, want, why)
	}
}
