package client

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// receivedRequest is what a server received.
type receivedRequest struct {
	Method, Body, Authorization, Impersonated string
}

// requestRecorder records requests.
type requestRecorder struct {
	mu  sync.Mutex
	got []receivedRequest
}

func (w *requestRecorder) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got = append(w.got, receivedRequest{r.Method, string(body), r.Header.Get("Authorization"), r.Header.Get("Impersonate-User")})
}

type leakRow struct {
	row
	status int
	// plain redirects to http instead of https; both servers have trusted
	// certificates.
	plain, exact bool
	want         []receivedRequest
}

// TestRedirectToOtherOrigin redirects a review with credentials to another
// server and compares what that server receives.
func TestRedirectToOtherOrigin(t *testing.T) {
	t.Parallel()
	everything := []receivedRequest{{"POST", `{"secret":true}`, "Bearer token", "kim"}}
	rows := []leakRow{
		{row{"https", "the other server receives nothing"}, 307, false, false, nil},
		{row{"http", "nothing is sent in clear text"}, 308, true, false, nil},
		{row{"302", "credentials are not sent either"}, 302, false, false, nil},
		{row{"https, exact", "kube-apiserver sends review and credentials (CVE-2020-8561)"}, 307, false, true, everything},
		{row{"http, exact", "in clear text, too"}, 308, true, true, everything},
		{row{"302, exact", "the credentials are sent without the review"}, 302, false, true, []receivedRequest{{"GET", "", "Bearer token", "kim"}}},
	}
	testtable.Run(t, rows, func(t *testing.T, r leakRow) {
		var w requestRecorder
		other := startBackend(t, &w)
		location := "https://" + other.addr + "/"
		if r.plain {
			plain := httptest.NewServer(&w)
			t.Cleanup(plain.Close)
			location = plain.URL
		}
		own := startBackend(t, http.RedirectHandler(location, r.status))
		_, port, err := net.SplitHostPort(own.addr)
		if err != nil {
			t.Fatal(err)
		}
		users := "{name: '127.0.0.1:" + port + "', user: {token: token, as: kim}}"
		auth, err := KubeconfigAuth(writeKubeconfig(t, users, ""), r.exact)
		if err != nil {
			t.Fatal(err)
		}
		c := newClient(t, Config{AuthInfo: auth, Exact: r.exact})
		_, err = post(t, c, urlHook("https://"+own.addr, append(own.ca, other.ca...)), `{"secret":true}`)
		if (err == nil) != r.exact {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(r.want, w.got); diff != "" {
			t.Errorf("the other server received (-want +got):\n%s", diff)
		}
		if !r.exact && !r.plain && other.connections() != 0 {
			t.Error("the client connected to the other server")
		}
	})
}
