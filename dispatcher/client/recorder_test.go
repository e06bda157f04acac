package client

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/gatehouse/internal/testutil/testtable"
)

type answerRow struct {
	row
	handler http.HandlerFunc
	// status and body are what the row is about; the rest is compared with the
	// network.
	status int
	body   string
}

// flush flushes w, as a streaming handler does.
func flush(w http.ResponseWriter) { w.(http.Flusher).Flush() }

var answerRows = []answerRow{
	{
		row{"nothing", "an implicit 200 with length 0"},
		func(http.ResponseWriter, *http.Request) {}, 200, "",
	},
	{
		row{"body", "an implicit 200, with computed length and type"},
		ok, 200, "ok",
	},
	{
		row{"JSON without a type", "sniffed as text"},
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"a":1}`) }, 200, `{"a":1}`,
	},
	{
		row{"type", "the handler's type is kept"},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{}`)
		}, 200, `{}`,
	},
	{
		row{"no type", "a type can be suppressed"},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			fmt.Fprint(w, `{}`)
		}, 200, `{}`,
	},
	{
		row{"status", "http.Error's headers and status arrive"},
		func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "boom", 500) }, 500, "boom\n",
	},
	{
		row{"unknown status", "a status without a name"},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(599) }, 599, "",
	},
	{
		row{"two statuses", "the first one counts"},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201); w.WriteHeader(500) }, 201, "",
	},
	{
		row{"early hints", "informational responses are dropped"},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); w.WriteHeader(202) }, 202, "",
	},
	{
		row{"late header", "what is set after the first write is not sent"},
		func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "x")
			w.Header().Set("Late", "yes")
		}, 200, "x",
	},
	{
		row{"no content", "204 has no body, and writing one fails"},
		func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(204)
			if _, err := w.Write([]byte("x")); err != http.ErrBodyNotAllowed {
				panic(err)
			}
		}, 204, "",
	},
	{
		row{"flush", "the length is unknown, the type is final"},
		func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html>")
			flush(w)
			fmt.Fprint(w, "rest")
		}, 200, "<html>rest",
	},
	{
		row{"early flush", "no type, because the body is still empty"},
		func(w http.ResponseWriter, _ *http.Request) { flush(w); fmt.Fprint(w, "x") }, 200, "x",
	},
	{
		row{"just fits", "a body that fits the server's buffer has a length"},
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 2048)) },
		200, strings.Repeat("x", 2048),
	},
	{
		row{"large", "a larger body has no length"},
		func(w http.ResponseWriter, _ *http.Request) {
			for range 1 << 10 {
				fmt.Fprint(w, strings.Repeat("x", 1<<10))
			}
		}, 200, strings.Repeat("x", 1<<20),
	},
	{
		row{"declared length", "a handler may know the length of a large body"},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "4096")
			fmt.Fprint(w, strings.Repeat("x", 4096))
		}, 200, strings.Repeat("x", 4096),
	},
	{
		row{"too little", "a body shorter than declared ends with an error"},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			fmt.Fprint(w, "short")
		}, 200, "short",
	},
	{
		row{"too much", "what exceeds the declared length is refused"},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2")
			fmt.Fprint(w, "ok")
			if _, err := w.Write([]byte("x")); err != http.ErrContentLength {
				panic(err)
			}
		}, 200, "ok",
	},
	{
		row{"malformed length", "the header is dropped, and no length is computed"},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "many")
			fmt.Fprint(w, "ok")
		}, 200, "ok",
	},
	{
		row{"gzip", "the client accepts gzip and decodes it"},
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", r.Header.Get("Accept-Encoding"))
			z := gzip.NewWriter(w)
			fmt.Fprint(z, "plain")
			_ = z.Close()
		}, 200, "plain",
	},
	{
		row{"empty gzip", "an empty body is not decoded"},
		func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "gzip") }, 200, "",
	},
}

// TestInProcessAnswers compares responses of handlers in process with those
// over the network.
func TestInProcessAnswers(t *testing.T) {
	t.Parallel()
	testtable.Run(t, answerRows, func(t *testing.T, r answerRow) {
		got := map[string]answer{}
		for name, reach := range bothWays {
			c, ca := reach(t, r.handler)
			a, err := post(t, c, urlHook("https://hook.example", ca), "{}")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got[name] = a
		}
		in := got["in process"]
		if !strings.HasPrefix(in.Status, fmt.Sprint(r.status)) || in.Body != r.body {
			t.Errorf("answer %s %.80q, want %d %.80q", in.Status, in.Body, r.status, r.body)
		}
		if diff := cmp.Diff(got["network"], in, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("in process differs from the network (-network +in process):\n%s", diff)
		}
	})
}

// TestCorruptGzip: reading a body that is not gzip is an error.
func TestCorruptGzip(t *testing.T) {
	t.Parallel()
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, "this is not gzip, however long one looks at it")
	})
	c, _ := bothWays["in process"](t, h)
	a, err := post(t, c, urlHook("https://hook.example", nil), "{}")
	if err != nil || a.BodyErr == nil {
		t.Errorf("errors %v and %v, want only the second", err, a.BodyErr)
	}
}

// TestStrayWriter: a goroutine that outlives its handler cannot change the
// response.
func TestStrayWriter(t *testing.T) {
	t.Parallel()
	returned, wrote := make(chan struct{}), make(chan error)
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "answer")
		go func() {
			<-returned
			_, err := io.WriteString(w, " and more")
			flush(w)
			wrote <- err
		}()
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://hook.example/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&handlerTransport{handler: h}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	close(returned)
	if err := <-wrote; err == nil {
		t.Error("the late write succeeded")
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "answer" {
		t.Errorf("body %q, error %v", body, err)
	}
}
