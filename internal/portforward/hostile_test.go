package portforward_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/portforward"
	"example.com/gatehouse/internal/testutil/forwardtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestOddServers: answers that are none of an API server fail connections with an error.
func TestOddServers(t *testing.T) {
	t.Parallel()
	text := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	upgraded := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", r.Header.Get("Upgrade"))
		w.Header().Set("X-Stream-Protocol-Version", "portforward.k8s.io")
		w.WriteHeader(http.StatusSwitchingProtocols)
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, strings.Repeat("nonsense ", 100))
		_ = c.Close()
	}
	type test struct {
		row
		// part ends the paths that the handler answers; a forwardtest.Server has the others.
		part    string
		handler http.HandlerFunc
		want    string
		access  bool
	}
	testtable.Run(t, []test{
		{row{"page", "a proxy asks for a password"}, "/policy", text(200, "text/html", "<p>Log in"), "", true},
		{row{"page not found", "it is another server"}, "/policy", text(404, "text/plain", "404"), "", true},
		{row{"other kind", "it is no Service"}, "/policy",
			text(200, "application/json", `{"apiVersion":"v1","kind":"Pod"}`),
			"the answer is a *v1.Pod and not a *v1.Service", true},
		{row{"no JSON", "it is cut off"}, "/policy", text(200, "application/json", `{"apiVersion":"v1",`), "", true},
		{row{"redirect", "the credentials would go along"}, "/policy", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, "it redirects to another URL: is this an API server?", true},
		{row{"unauthorized", "the token has expired"}, "/portforward", text(401, "text/plain", "no\n\x1b[2J"),
			"service webhooks/policy: no \x1b[2J", true},
		{row{"kubelet", "it knows the pod no more"}, "/portforward", text(404, "text/plain", "pod not found"),
			"service webhooks/policy: pod not found", false},
		{row{"no upgrade", "a proxy does not know port-forwards"}, "/portforward", text(200, "text/plain", ""),
			"the answer is 200 OK, and no port is forwarded", true},
		{row{"empty Status", "it says nothing"}, "/portforward",
			text(500, "application/json", `{"kind":"Status","apiVersion":"v1"}`), "500 Internal Server Error", false},
		{row{"nonsense", "it does not speak SPDY"}, "/portforward", upgraded, "", false},
	}, func(t *testing.T, tc test) {
		inner := &forwardtest.Server{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, tc.part) {
				tc.handler(w, r)
				return
			}
			inner.ServeHTTP(w, r)
		}))
		defer server.Close()
		f, err := portforward.New(t.Context(), &rest.Config{Host: server.URL, BearerToken: "secret"})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		_, err = dialAndSay(t.Context(), f, policy, "hello")
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.ContainsAny(err.Error(), "\n\t") {
			t.Errorf("%s: got %v, want %s", tc.Why(), err, tc.want)
		}
		if err := f.Err(); (err != nil) != tc.access {
			t.Errorf("%s: the way to the cluster has %v", tc.Why(), err)
		}
	})
}
