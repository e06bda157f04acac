package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

type restartRow struct {
	row
	// answers are what the server responds to the requests in turn, the last of
	// them to all that follow: a status, and a Location or a Retry-After.
	answers []string
	want    restarted
}

// restarted is the result of a call with redirects and retries.
type restarted struct {
	// Requests are method, URL and body of each, and the Referer if there is
	// one.
	Requests []string
	Status   int
	Took     time.Duration
	Err      string
}

const (
	toHook   = "POST https://hook.example/ {}"
	toTarget = "POST https://other.example/next {} https://hook.example/"
)

// rounds repeats requests.
func rounds(n int, requests ...string) (all []string) {
	for range n {
		all = append(all, requests...)
	}
	return all
}

var restartRows = []restartRow{
	{
		row{"redirect", "the target asks for a retry, and the call begins again at the webhook's address"},
		[]string{"307 https://other.example/next", "503 2", "307 https://other.example/next", "200"},
		restarted{Requests: rounds(2, toHook, toTarget), Status: 200, Took: 2 * time.Second},
	},
	{
		row{"without end", "ten retries at most, of one redirect each"},
		append(rounds(10, "307 https://other.example/next", "429 1"), "307 https://other.example/next", "429 1"),
		restarted{Requests: rounds(11, toHook, toTarget), Status: 429, Took: 10 * time.Second},
	},
	{
		row{"both", "retries before and after the redirect count together"},
		append(rounds(6, "503 0"), rounds(5, "307 https://other.example/next", "503 0")...),
		restarted{Requests: append(rounds(6, toHook), rounds(5, toHook, toTarget)...), Status: 503},
	},
	{
		row{"302", "the redirect takes the review away, and the retry sends it again"},
		[]string{"302 https://other.example/next", "503 0", "200"},
		restarted{
			Requests: []string{toHook, "GET https://other.example/next  https://hook.example/", toHook}, Status: 200,
		},
	},
	{
		row{"loop", "redirects are counted from the last retry on"},
		append(rounds(8, "307 /"), "503 0", "307 /"),
		restarted{
			Requests: slices.Concat(rounds(1, toHook), rounds(8, toHook+" https://hook.example/"),
				rounds(1, toHook), rounds(9, toHook+" https://hook.example/")),
			Err: `Post "/": stopped after 10 redirects`,
		},
	},
	{
		row{"last", "the response to the last retry is a redirect, which is followed"},
		append(rounds(10, "503 0"), "307 https://other.example/next", "503 0"),
		restarted{Requests: append(rounds(11, toHook), toTarget), Status: 503},
	},
}

// answer responds as one of a row's answers says.
func (r *restartRow) answer(w http.ResponseWriter, n int) {
	status, value, _ := strings.Cut(r.answers[min(n, len(r.answers)-1)], " ")
	switch {
	case status[0] == '3':
		w.Header().Set("Location", value)
	case value != "":
		w.Header().Set("Retry-After", value)
	}
	var code int
	_, _ = fmt.Sscan(status, &code)
	w.WriteHeader(code)
}

// observe makes a call to a server that responds as r says.
func (r *restartRow) observe(t *testing.T, exchange exchangeFunc) (got restarted) {
	t.Helper()
	handler := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Errorf("reading the request: %v", err)
		}
		url := "https://" + req.Host + req.URL.RequestURI()
		line := strings.Join([]string{req.Method, url, string(body), req.Referer()}, " ")
		r.answer(w, len(got.Requests))
		got.Requests = append(got.Requests, strings.TrimSuffix(line, " "))
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		status, err := exchange(ctx, &handlerTransport{handler: handler})
		got.Status, got.Took, got.Err = status, time.Since(start), testtable.Text(err)
	})
	return got
}

// TestRestarts compares Retry-After after redirects in exact mode with
// kube-apiserver's client (S-285).
func TestRestarts(t *testing.T) {
	t.Parallel()
	exact := newClient(t, Config{Exact: true})
	testtable.Run(t, restartRows, func(t *testing.T, r restartRow) {
		got := r.observe(t, observeOurs(exact))
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("unexpected requests (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(r.observe(t, observeUpstream), got); diff != "" {
			t.Errorf("exact differs from kube-apiserver (-theirs +ours):\n%s", diff)
		}
	})
}
