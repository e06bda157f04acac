package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// request is a review as a handler receives it.
type request struct {
	Method, URL, URI, Proto, Host string
	Header                        http.Header
	Length                        int64
	Body                          string
	Encodings                     []string
	Remote, Deadline, Value, TLS  bool
}

func requestOf(r *http.Request) request {
	body, _ := io.ReadAll(r.Body)
	_, deadline := r.Context().Deadline()
	return request{
		Method: r.Method, URL: r.URL.String(), URI: r.RequestURI, Proto: r.Proto, Host: r.Host,
		Header: r.Header, Length: r.ContentLength, Body: string(body), Encodings: r.TransferEncoding,
		Remote: strings.HasPrefix(r.RemoteAddr, "127.0.0.1:"), Deadline: deadline,
		Value: r.Context().Value(contextKey{}) != nil, TLS: r.TLS != nil,
	}
}

type contextKey struct{}

type requestRow struct {
	row
	url, body string
}

// TestInProcessRequest compares the request that a handler receives in process
// with the one that it receives over the network.
func TestInProcessRequest(t *testing.T) {
	t.Parallel()
	rows := []requestRow{
		{row{"plain", "the ordinary review"}, "https://hook.example/review", `{"kind":"AdmissionReview"}`},
		{row{"port", "Host keeps the port"}, "https://hook.example:8443/review", "{}"},
		{row{"no path", "the request line has a path nevertheless"}, "https://hook.example", "{}"},
		{row{"escapes", "decoded and encoded in the same way"}, "https://hook.example/a%3Fb/%C3%A9", "{}"},
		{row{"large", "a body larger than all buffers"}, "https://hook.example/", strings.Repeat("x", 3<<20)},
	}
	testtable.Run(t, rows, func(t *testing.T, r requestRow) {
		got := map[string]request{}
		for name, reach := range bothWays {
			c, ca := reach(t, http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
				got[name] = requestOf(req)
			}))
			if _, err := post(t, c, urlHook(r.url, ca), r.body); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		want := got["network"]
		// The only intended difference.
		want.TLS = false
		if diff := cmp.Diff(want, got["in process"]); diff != "" {
			t.Errorf("in process differs from the network (-network +in process):\n%s", diff)
		}
	})
}

// TestInProcessContext: the handler's context has neither the caller's values
// nor its deadline.
func TestInProcessContext(t *testing.T) {
	t.Parallel()
	var got request
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = requestOf(r) })
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), contextKey{}, "x"), time.Hour)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://hook.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := inProcessClient(h).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got.Value || got.Deadline {
		t.Errorf("value visible: %v, deadline visible: %v", got.Value, got.Deadline)
	}
}

func TestInProcessWithoutHandler(t *testing.T) {
	t.Parallel()
	c := InProcess(func(*admission.Webhook) http.Handler { return nil })
	_, err := c.Endpoint(t.Context(), urlHook("https://hook.example", nil))
	if want := `no in-process handler for webhook "hook.example.com"`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestInProcessTargets: an address that is invalid on the network is invalid in
// process.
func TestInProcessTargets(t *testing.T) {
	t.Parallel()
	c := InProcess(func(*admission.Webhook) http.Handler { return http.HandlerFunc(ok) })
	testtable.Run(t, targetRows, func(t *testing.T, r targetRow) {
		got, gotErr := "", ""
		e, err := c.Endpoint(t.Context(), &admission.Webhook{Name: "hook.example.com", ClientConfig: r.config})
		if err != nil {
			gotErr = err.Error()
		} else {
			got = e.URL.String()
		}
		if diff := cmp.Diff([]string{r.url, r.err}, []string{got, gotErr}); diff != "" {
			t.Errorf("unexpected endpoint (-want +got):\n%s", diff)
		}
	})
}

type failRow struct {
	row
	handler http.HandlerFunc
	err     string
	eof     bool
}

// TestInProcessFailures: the caller returns even if the handler does not.
func TestInProcessFailures(t *testing.T) {
	t.Parallel()
	rows := []failRow{
		{
			row{"panic", "the connection breaks, as with net/http's server"},
			func(http.ResponseWriter, *http.Request) { panic("boom") },
			"the webhook's handler panicked: boom: EOF", true,
		},
		{
			row{"panic after writing", "a partial response is discarded"},
			func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "half"); panic(errors.New("boom")) },
			"the webhook's handler panicked: boom: EOF", true,
		},
		{
			row{"abort", "net/http's own way to break a connection"},
			func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"the webhook's handler panicked: net/http: abort Handler: EOF", true,
		},
		{
			row{"bad status", "net/http's server panics too"},
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(99) },
			"the webhook's handler panicked: the handler wrote the status code 99, which is not one: EOF", true,
		},
		{
			row{"goexit", "t.FailNow in a handler must not hang the test"},
			func(http.ResponseWriter, *http.Request) { runtime.Goexit() },
			"the webhook's handler ended its goroutine instead of returning", false,
		},
	}
	testtable.Run(t, rows, func(t *testing.T, r failRow) {
		c := InProcess(func(*admission.Webhook) http.Handler { return r.handler })
		_, err := post(t, c, urlHook("https://hook.example/", nil), "{}")
		want := `Post "https://hook.example/?timeout=5s": ` + r.err
		if err == nil || err.Error() != want || errors.Is(err, io.EOF) != r.eof {
			t.Errorf("error %v, want %s", err, want)
		}
	})
}

// TestInProcessTimeout waits for the client's timeout of 30 s in virtual time
// (S-263). The handler outlives the call; its context is canceled and its
// writes fail.
func TestInProcessTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var late, handlerErr error
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			handlerErr = r.Context().Err()
			time.Sleep(time.Minute)
			_, late = io.WriteString(w, "too late")
		})
		start := time.Now()
		c := InProcess(func(*admission.Webhook) http.Handler { return h })
		_, err := post(t, c, urlHook("https://hook.example/", nil), "{}")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 30*time.Second {
			t.Errorf("error %v after %v, want a timeout after 30 s", err, time.Since(start))
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if late == nil || !errors.Is(handlerErr, context.Canceled) {
			t.Errorf("late write: %v, handler's context: %v", late, handlerErr)
		}
	})
}

type doneRow struct {
	row
	// before ends the context before the call.
	before bool
	cause  error
}

func TestInProcessContextDone(t *testing.T) {
	t.Parallel()
	rows := []doneRow{
		{row{"before", "the handler is not started"}, true, nil},
		{row{"during", "the caller does not wait for the handler"}, false, nil},
		{row{"cause", "net/http's transport returns the cause, if there is one"}, false, errors.New("went away")},
	}
	testtable.Run(t, rows, func(t *testing.T, r doneRow) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			var started atomic.Bool
			h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				started.Store(true)
				time.Sleep(time.Hour)
			})
			if r.before {
				cancel(r.cause)
			} else {
				time.AfterFunc(time.Second, func() { cancel(r.cause) })
			}
			start := time.Now()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://hook.example/", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			want := r.cause
			if want == nil {
				want = context.Canceled
			}
			_, err = (&handlerTransport{handler: h}).RoundTrip(req)
			took := time.Since(start)
			synctest.Wait() // a handler that is to run has started
			if err != want || took > time.Second || started.Load() == r.before {
				t.Errorf("error %v after %v, handler started: %v", err, took, started.Load())
			}
			time.Sleep(2 * time.Hour)
		})
	})
}
