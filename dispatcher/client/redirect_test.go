package client

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

type redirectRow struct {
	row
	// location is relative to https://hook.example:8443/review.
	location string
	// err is the refusal; empty if the redirect is followed.
	err string
}

func TestCheckRedirect(t *testing.T) {
	t.Parallel()
	refused := func(to string) string {
		return "redirect to " + to + " refused: another scheme, host or port than the webhook's"
	}
	rows := []redirectRow{
		{row{"path", "the ordinary redirect"}, "/other?a=b", ""},
		{row{"relative path", "resolved against the request's address"}, "other", ""},
		{row{"same origin spelled out", "scheme, host and port are equal"}, "https://hook.example:8443/other", ""},
		{row{"other case", "schemes and hosts have no case"}, "HTTPS://Hook.Example:8443/other", ""},
		{row{"none", "without a Location the response is returned"}, "", ""},
		{row{"other host", "the error does not contain path and query"}, "https://evil.example:8443/path?query", refused("https://evil.example:8443")},
		{row{"other port", "another port is another server"}, "https://hook.example:9443/", refused("https://hook.example:9443")},
		{row{"default port", "no port means 443, which is another port"}, "https://hook.example/", refused("https://hook.example")},
		{row{"plain http", "the review would be sent in clear text"}, "http://hook.example:8443/", refused("http://hook.example:8443")},
		{row{"other scheme", "net/http's own error would quote it"}, "file:///etc/passwd", refused("file://")},
		{row{"without scheme", "another host, with the same scheme"}, "//evil.example/x", refused("https://evil.example")},
		{row{"user", "the error does not contain the user"}, "https://me:secret@evil.example/", refused("https://evil.example")},
		{row{"malformed", "the error does not quote it"}, "https://hook.example:8443/%zz?secret", "redirect to a malformed address refused"},
		{row{"long host", "the host is truncated"}, "https://" + strings.Repeat("a", 999), refused("https://" + strings.Repeat("a", 255))},
	}
	from := &url.URL{Scheme: "https", Host: "hook.example:8443", Path: "/review"}
	testtable.Run(t, rows, func(t *testing.T, r redirectRow) {
		got := ""
		if err := checkRedirect(from, r.location); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(r.err, got); diff != "" {
			t.Errorf("unexpected decision (-want +got):\n%s", diff)
		}
	})
}

// TestDefaultPorts: the default port equals the same port written out.
func TestDefaultPorts(t *testing.T) {
	t.Parallel()
	for from, to := range map[string]string{
		"https://hook.example":     "https://hook.example:443/x",
		"https://hook.example:443": "https://hook.example/x",
		"http://hook.example":      "http://hook.example:80/x",
	} {
		u, err := url.Parse(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkRedirect(u, to); err != nil {
			t.Errorf("%s to %s: %v", from, to, err)
		}
	}
}

// TestRedirectNonASCIIHost: İ is i in lower case, but net/http converts it to
// xn--hi-sub.example.
func TestRedirectNonASCIIHost(t *testing.T) {
	t.Parallel()
	err := checkRedirect(&url.URL{Scheme: "https", Host: "hi.example"}, "https://hİ.example/")
	const want = "redirect to https://hİ.example refused: another scheme, host or port than the webhook's"
	if testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestRefusedRedirectsAreClosed: otherwise their connections would leak.
func TestRefusedRedirectsAreClosed(t *testing.T) {
	t.Parallel()
	body := &closeCounter{}
	rt := SameOrigin(roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"https://evil.example"}}, Body: body}, nil
	}))
	_, err := rt.RoundTrip(httptest.NewRequest(http.MethodPost, "https://hook.example", nil)) //nolint:bodyclose // there is none
	if err == nil || body.closed != 1 {
		t.Errorf("error %v, and the body was closed %d times", err, body.closed)
	}
}

// followed is the result of a redirect.
type followed struct {
	Body, Err string
	Hits      int32
}

type followRow struct {
	row
	status int
	// location is the Location of the first response.
	location string
	want     followed
}

// redirector redirects /review to location and /loop to itself, and echoes
// method and body of other requests.
func redirector(status int, location string, hits *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		switch r.URL.Path {
		case "/review":
			w.Header().Set("Location", location)
			w.WriteHeader(status)
		case "/loop":
			http.Redirect(w, r, "/loop", status)
		default:
			body, _ := io.ReadAll(r.Body)
			_, _ = io.WriteString(w, r.Method+" "+r.RequestURI+" "+string(body))
		}
	}
}

// TestRedirects redirects a review over the network and in process.
func TestRedirects(t *testing.T) {
	t.Parallel()
	other, received := countConnections(t)
	rows := []followRow{
		{
			row{"307", "the review is sent again; the query is that of the Location (S-266, S-284)"},
			http.StatusTemporaryRedirect, "/next?a=b", followed{Body: "POST /next?a=b {}", Hits: 2},
		},
		{
			row{"308", "as 307"},
			http.StatusPermanentRedirect, "/next", followed{Body: "POST /next {}", Hits: 2},
		},
		{
			row{"302", "becomes GET without a body, as in kube-apiserver (S-284)"},
			http.StatusFound, "/next", followed{Body: "GET /next ", Hits: 2},
		},
		{
			row{"loop", "ten requests and no more (S-284)"},
			http.StatusTemporaryRedirect, "/loop", followed{Err: `Post "/loop": stopped after 10 redirects`, Hits: 10},
		},
		{
			row{"other origin", "refused before anything is sent there (CVE-2020-8561)"},
			http.StatusTemporaryRedirect, "http://" + other + "/secret?token",
			followed{
				Err:  `Post "https://hook.example/review?timeout=5s": redirect to http://` + other + ` refused: another scheme, host or port than the webhook's`,
				Hits: 1,
			},
		},
		{
			row{"300", "300 is not a redirect; the engine rejects the status"},
			http.StatusMultipleChoices, "http://" + other + "/", followed{Hits: 1},
		},
	}
	testtable.Run(t, rows, func(t *testing.T, r followRow) {
		for name, reach := range bothWays {
			var hits atomic.Int32
			c, ca := reach(t, redirector(r.status, r.location, &hits))
			a, err := post(t, c, urlHook("https://hook.example/review", ca), "{}")
			got := followed{Body: a.Body, Hits: hits.Load()}
			if err != nil {
				got.Err = err.Error()
			}
			if diff := cmp.Diff(r.want, got); diff != "" {
				t.Errorf("%s: unexpected outcome (-want +got):\n%s", name, diff)
			}
		}
	})
	t.Cleanup(func() {
		if n := received.Load(); n != 0 {
			t.Errorf("the stranger was connected to %d times", n)
		}
	})
}

// bothWays returns clients of a handler, over the network and in process, at
// https://hook.example.
var bothWays = map[string]func(*testing.T, http.Handler) (dispatcher.Client, []byte){
	"network": func(t *testing.T, h http.Handler) (dispatcher.Client, []byte) {
		b := startBackend(t, h, "hook.example")
		return newClient(t, Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			// Only the webhook's name is dialed elsewhere.
			if strings.HasPrefix(addr, "hook.example:") {
				addr = b.addr
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}}), b.ca
	},
	"in process": func(_ *testing.T, h http.Handler) (dispatcher.Client, []byte) {
		return InProcess(func(*admission.Webhook) http.Handler { return h }), nil
	},
}

// countConnections returns an address and the number of connections to it,
// which should remain zero.
func countConnections(t *testing.T) (addr string, received *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	received = &atomic.Int32{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			received.Add(1)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String(), received
}
