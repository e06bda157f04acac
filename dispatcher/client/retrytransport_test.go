package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

type retryRow struct {
	row
	// answers are the statuses of the first, second, … response; the last one
	// repeats.
	answers []int
	after   string
	timeout time.Duration
	want    retried
}

// retried is the result of a call with retries.
type retried struct {
	// Bodies are the requests that the server received.
	Bodies []string
	Status int
	Took   time.Duration
	Err    string
}

func times(n int) []string {
	bodies := make([]string, n)
	for i := range bodies {
		bodies[i] = "{}"
	}
	return bodies
}

var retryRows = []retryRow{
	{
		row{"429 without Retry-After", "without Retry-After there is no retry"},
		[]int{429}, "", time.Minute, retried{Bodies: times(1), Status: 429},
	},
	{
		row{"429 at once", "ten retries at most; the last response is returned"},
		[]int{429}, "0", time.Minute, retried{Bodies: times(11), Status: 429},
	},
	{
		row{"503 once", "the review is sent again as a whole"},
		[]int{503, 200}, "1", time.Minute, retried{Bodies: times(2), Status: 200, Took: time.Second},
	},
	{
		row{"599", "every status from 500 on"},
		[]int{599}, "2", time.Minute, retried{Bodies: times(11), Status: 599, Took: 20 * time.Second},
	},
	{
		row{"404", "other statuses are not retried, with any header"},
		[]int{404}, "0", time.Minute, retried{Bodies: times(1), Status: 404},
	},
	{
		row{"date", "only integers are accepted"},
		[]int{503}, "Fri, 31 Dec 2100 23:59:59 GMT", time.Minute, retried{Bodies: times(1), Status: 503},
	},
	{
		row{"negative", "means at once"},
		[]int{503}, "-5", time.Minute, retried{Bodies: times(11), Status: 503},
	},
	{
		row{"beyond the deadline", "the deadline passes during the wait, and the 503 is lost"},
		[]int{503}, "9999", 2 * time.Second,
		retried{Bodies: times(1), Took: 2 * time.Second, Err: `Post "https://hook.example/": context deadline exceeded`},
	},
	{
		row{"deadline between", "as many retries as the deadline permits"},
		[]int{503}, "1", 2500 * time.Millisecond,
		retried{Bodies: times(3), Took: 2500 * time.Millisecond, Err: `Post "https://hook.example/": context deadline exceeded`},
	},
}

// exchangeFunc makes one call and returns the response's status.
type exchangeFunc func(ctx context.Context, rt http.RoundTripper) (int, error)

// observe makes a call to a server that responds as r says.
func observe(t *testing.T, r retryRow, exchange exchangeFunc) (got retried) {
	t.Helper()
	handler := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Errorf("reading the request: %v", err)
		}
		got.Bodies = append(got.Bodies, string(body))
		if r.after != "" {
			w.Header().Set("Retry-After", r.after)
		}
		w.WriteHeader(r.answers[min(len(got.Bodies), len(r.answers))-1])
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), r.timeout)
		defer cancel()
		start := time.Now()
		status, err := exchange(ctx, &handlerTransport{handler: handler})
		got.Status, got.Took = status, time.Since(start)
		if err != nil {
			got.Err = err.Error()
		}
	})
	return got
}

// observeOurs makes a call with the guards of c.
func observeOurs(c *Client) exchangeFunc {
	return func(ctx context.Context, rt http.RoundTripper) (int, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://hook.example/", bytes.NewReader([]byte("{}")))
		if err != nil {
			return 0, err
		}
		caller := http.Client{Transport: c.addGuards(rt, target{})}
		if c.config.Exact {
			caller.CheckRedirect = checkRestart
		}
		resp, err := caller.Do(req)
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
	}
}

// observeUpstream makes a call with kube-apiserver's client.
func observeUpstream(ctx context.Context, rt http.RoundTripper) (status int, err error) {
	m, err := webhookutil.NewClientManager([]schema.GroupVersion{})
	if err != nil {
		return 0, err
	}
	m.SetAuthenticationInfoResolver(authInfo(&rest.Config{Transport: rt}))
	m.SetServiceResolver(webhookutil.NewDefaultServiceResolver())
	c, err := m.HookClient(webhookutil.ClientConfig{URL: "https://hook.example"})
	if err != nil {
		return 0, err
	}
	result := c.Post().Body([]byte("{}")).Do(ctx).StatusCode(&status)
	if status != 0 {
		return status, nil
	}
	return 0, result.Error()
}

// TestRetries compares exact mode with kube-apiserver's client, in virtual time
// (S-285).
func TestRetries(t *testing.T) {
	t.Parallel()
	exact := newClient(t, Config{Exact: true})
	testtable.Run(t, retryRows, func(t *testing.T, r retryRow) {
		got := observe(t, r, observeOurs(exact))
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("unexpected retries (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(observe(t, r, observeUpstream), got); diff != "" {
			t.Errorf("exact differs from kube-apiserver (-theirs +ours):\n%s", diff)
		}
	})
}

// TestNoRetriesByDefault: the default ignores Retry-After.
func TestNoRetriesByDefault(t *testing.T) {
	t.Parallel()
	safe := newClient(t, Config{})
	testtable.Run(t, retryRows, func(t *testing.T, r retryRow) {
		want := retried{Bodies: times(1), Status: r.answers[0]}
		if diff := cmp.Diff(want, observe(t, r, observeOurs(safe))); diff != "" {
			t.Errorf("unexpected retries (-want +got):\n%s", diff)
		}
	})
}

// TestNotRetried: without the body there is nothing to send again, and a failed
// connection may have delivered the request.
func TestNotRetried(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset by peer")
	for name, r := range map[string]struct {
		body io.Reader
		err  error
	}{
		"body that can be read once": {io.NopCloser(bytes.NewReader([]byte("{}"))), nil},
		"broken connection":          {bytes.NewReader([]byte("{}")), broken},
	} {
		calls := 0
		rt := retryTransport{wrapper{roundTrip(func(*http.Request) (*http.Response, error) {
			calls++
			if r.err != nil {
				return nil, r.err
			}
			return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"0"}}, Body: http.NoBody}, nil
		})}}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://hook.example/", r.body)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := rt.RoundTrip(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		if !errors.Is(err, r.err) || calls != 1 {
			t.Errorf("%s: %d calls, error %v; want 1 and %v", name, calls, err, r.err)
		}
	}
}
