package dispatcher_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// hostileRow is a webhook on the network that does not mean well.
type hostileRow struct {
	row
	serve http.HandlerFunc
	// time is the deadline of the request; 0 is thirty seconds, more than any
	// row needs.
	time time.Duration
	// err is part of the text of the failed call, or empty if the webhook is
	// answered.
	err string
}

// TestHostileWebhooks runs over loopback, because it tests the use of net/http.
func TestHostileWebhooks(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		t.Run(phase.String(), func(t *testing.T) {
			t.Parallel()
			testtable.Run(t, hostileRows(), func(t *testing.T, tc hostileRow) { tc.run(t, phase) })
		})
	}
}

// patient gives a call the longest time that there is, for busy machines.
func patient(w *admission.Webhook) { w.TimeoutSeconds = new(int32(30)) }

func (tc *hostileRow) run(t *testing.T, phase admission.Phase) {
	s := &testRequest{webhooks: []*admission.Webhook{hook(phase, hookName, patient)}}
	client := serving(t, tc.serve)
	s.config = func(c *dispatcher.Config) { c.Client = client }
	limit := tc.time
	if limit == 0 {
		limit = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	start := time.Now()
	r := s.run(ctx, t, phase)
	// The promise is 50 ms; the rest is for busy machines.
	if took := time.Since(start); took > limit+30*time.Second {
		t.Errorf("it took %v, want %v", took, limit)
	}
	if len(r.calls) == 0 {
		t.Fatalf("no call: %v", r.err)
	}
	call := r.calls[0]
	if got := testtable.Text(call.Err); !strings.Contains(got, tc.err) || (tc.err == "") != (call.Err == nil) || (r.err == nil) != (call.Err == nil) {
		t.Errorf("call %v and request %v, want %q in the former", call.Err, r.err, tc.err)
	}
}

// serving returns a client whose only webhook is a handler behind a server.
func serving(t *testing.T, handler http.HandlerFunc) dispatcher.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
	})
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return clientFunc(func(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error) {
		return &dispatcher.Endpoint{URL: *address, HTTP: &http.Client{Transport: transport}}, nil
	})
}

func hostileRows() []hostileRow {
	const short = 3 * time.Second // the call has to begin before
	return []hostileRow{
		{row{"gzip bomb", "D4: what counts is the size after decompression"}, bomb(), 0, "reading response body: more than 8388608 bytes (Limits.ResponseBody)"},
		{row{"aliases of YAML", "a text of 50 KB that is referred to as often as there is room would become a gigabyte"}, aliases, 0, "yaml: document contains excessive aliasing"},
		{row{"aliases of YAML in UTF-16", "which YAML may be written in"}, inUTF16(aliases), 0, "yaml: document contains excessive aliasing"},
		{row{"endless body", "D2: the limit comes before the deadline"}, endlessly, 0, "reading response body: more than 8388608 bytes (Limits.ResponseBody)"},
		{row{"drip of a body", "J24: the deadline holds"}, drip, short, "context deadline exceeded"},
		{row{"no header", "J22: the deadline holds"}, silence, short, "context deadline exceeded"},
		{row{"headers above", "D8: 64 KiB"}, flood, 0, "receiving response headers: more than 65536 bytes (Limits.ResponseHeader)"},
		{row{"interim responses below", "J19: eight are allowed"}, hints(8, 10), 0, ""},
		{row{"interim responses above", "D9: and no more"}, hints(9, 10), 0, "receiving interim responses: more than 8 responses (Limits.InterimResponses)"},
		{row{"interim responses that are large", "D9: their headers count with the others"}, hints(5, 15<<10), 0, "more than 65536 bytes (Limits.ResponseHeader)"},
		{row{"switch of protocols", "J21: the client does not wait for data on the connection"}, upgrade, 0, "status code 101"},
	}
}

// approve answers the review that is in a request.
func approve(w http.ResponseWriter, r *http.Request) {
	review, err := reviewIn(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":%q,"allowed":true}}`, review.Request.UID)
}

// blanks are what JSON may have any number of.
func blanks() []byte { return []byte(strings.Repeat(" ", 1<<20)) }

// bomb returns a handler whose answer is compressed before the request, which has a deadline.
func bomb() http.HandlerFunc {
	compressed := bombed()
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(compressed)
	}
}

var bombed = sync.OnceValue(func() []byte {
	var compressed bytes.Buffer
	z, err := gzip.NewWriterLevel(&compressed, gzip.BestSpeed)
	if err != nil {
		panic(err) // not reached: there is this level
	}
	const mebibytes = 16
	chunk := blanks()
	for range mebibytes {
		_, _ = z.Write(chunk) // to memory
	}
	_ = z.Close()
	return compressed.Bytes()
})

func aliases(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, "a: &a %s\nb: [%s]\n", strings.Repeat("x", 25_000), strings.Repeat("*a, ", 6_000))
}

// inUTF16 writes what a handler writes, which must be ASCII, with two bytes
// each.
func inUTF16(handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		handler(recorded, r)
		wide := []byte{0xff, 0xfe}
		for _, b := range recorded.Body.Bytes() {
			wide = append(wide, b, 0)
		}
		_, _ = w.Write(wide)
	}
}

func endlessly(w http.ResponseWriter, _ *http.Request) {
	for chunk := blanks(); ; {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func drip(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// silence reads the request, because a server that does not never learns that
// its client has gone.
func silence(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler) // a response might still arrive
}

func flood(w http.ResponseWriter, r *http.Request) {
	for i := range 70 {
		w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 1<<10))
	}
	approve(w, r)
}

// hints answers after so many interim responses with headers of a size.
func hints(n, size int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// A client that gives up must not still be sending: it would say that
		// instead.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.Header().Set("X", strings.Repeat("x", size))
		for range n {
			w.WriteHeader(http.StatusEarlyHints)
		}
		w.Header().Del("X")
		approve(w, r)
	}
}

// upgrade keeps the connection open until the client closes it.
func upgrade(w http.ResponseWriter, _ *http.Request) {
	connection, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer connection.Close()
	_, _ = buffer.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
	_ = buffer.Flush()
	_, _ = io.Copy(io.Discard, connection)
}

// TestHostileBodiesCostLittle has many webhooks send what never ends, and
// counts what is allocated for it.
func TestHostileBodiesCostLittle(t *testing.T) {
	s := &testRequest{webhooks: []*admission.Webhook{hook(admission.Validating, hookName)}}
	client := serving(t, endlessly)
	s.config = func(c *dispatcher.Config) { c.Client = client }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if r := s.run(t.Context(), t, admission.Validating); r.err == nil {
		t.Error("an endless body was understood")
	}
	runtime.ReadMemStats(&after)
	// The rooms that were outgrown, the last one, and the server's blanks.
	if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 100 {
		t.Errorf("%d MiB were allocated", allocated)
	}
}
