package apiserver

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/apiserver/inforce"
	"example.com/gatehouse/internal/testutil/testtable"
)

// webRow is a request as a browser might send it.
type webRow struct {
	row
	method, host, origin string
	// site is how the page is related to the server.
	site string
	want int
}

// TestWebPages sends the token, but with foreign Host headers and origins. No
// response has CORS headers.
func TestWebPages(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []webRow{
		{row{"client", "kubectl sends no Origin"}, http.MethodGet, "", "", "", 200},
		{row{"localhost", "a name of the server"}, http.MethodGet, "localhost", "", "", 200},
		{row{"rebound", "a name that led here for a moment"}, http.MethodGet, "evil.example", "", "", 421},
		{row{"rebound page", "the page and its name are one"}, http.MethodGet, "evil.example", "http://evil.example", "", 421},
		{row{"own page", "kubectl proxy serves pages and forwards their headers"}, http.MethodGet, "", "http://localhost:8001", "", 200},
		{row{"own address", "likewise"}, http.MethodGet, "", "http://127.0.0.1:8001", "", 200},
		{row{"own IPv6 address", "likewise"}, http.MethodGet, "", "http://[::1]:8001", "", 200},
		{row{"page", "it cannot read the answer, and need not ask"}, http.MethodGet, "", "https://evil.example", "", 403},
		{row{"page that writes", "a form needs no CORS headers"}, http.MethodPost, "", "https://evil.example", "", 403},
		{row{"page at an address", "an address is no better"}, http.MethodGet, "", "http://192.0.2.1", "", 403},
		{row{"page on disk", "its origin is unknown"}, http.MethodGet, "", "null", "", 403},
		{row{"preflight", "a preflight learns nothing"}, http.MethodOptions, "", "https://evil.example", "", 403},
		{row{"image", "browsers send no Origin for images"}, http.MethodGet, "", "", "cross-site", 403},
		{row{"image of a neighbour", "another host of the domain is another host"}, http.MethodGet, "", "", "same-site", 403},
		{row{"unknown relation", "what is not known is not the server's own"}, http.MethodGet, "", "", "x", 403},
		{row{"address bar", "the user has typed it"}, http.MethodGet, "", "", "none", 200},
		{row{"image of the own page", "kubectl proxy serves pages and forwards their headers"}, http.MethodGet, "", "", "same-origin", 200},
		{row{"own page at another port", "the Origin is this machine"}, http.MethodGet, "", "http://127.0.0.1:8001", "cross-site", 200},
	}, func(t *testing.T, r webRow) {
		response, body := web(t, shared.ClientConfig(), r.method, "/version", r.host, http.Header{"Origin": {r.origin}, "Sec-Fetch-Site": {r.site}})
		if response.StatusCode != r.want {
			t.Errorf("got %d %s, want %d", response.StatusCode, body, r.want)
		}
		var status metav1.Status
		if r.want != 200 && (json.Unmarshal(body, &status) != nil || int(status.Code) != r.want || strings.Contains(string(body), "evil")) {
			t.Errorf("got %s, want a status that quotes nothing", body)
		}
	})
}

// web sends a request and fails the test if a page might read the answer.
func web(t *testing.T, config *rest.Config, method, path, host string, header http.Header) (*http.Response, []byte) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	for name, values := range header {
		if values[0] != "" {
			request.Header[name] = values
		}
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(response.Header)) {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("%s %s: the answer has %s: %s", method, path, name, response.Header.Get(name))
		}
	}
	return response, body
}

// TestUnauthenticatedPaths: there is no path that answers those who have no
// token, not even for pages of the machine's own.
func TestUnauthenticatedPaths(t *testing.T) {
	t.Parallel()
	var root struct{ Paths []string }
	if err := json.Unmarshal(visit(t, "/", "application/json"), &root); err != nil || len(root.Paths) < 20 {
		t.Fatalf("the server names %d paths, error %v", len(root.Paths), err)
	}
	paths := append(root.Paths, "/", "/healthz/ping", "/metrics/slis", "/debug/pprof/", "/debug/flags/v", "/swagger.json", "/configz", "/logs",
		inforce.Path, inforce.Path+"/x", "/apis/nowhere/v1", "/api/v1/namespaces/default/pods/a/exec", "//version", "/api/../version")
	anonymous := shared.ClientConfig()
	anonymous.BearerToken = ""
	for _, path := range paths {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions} {
			response, body := web(t, anonymous, method, path, "", http.Header{"Origin": {"http://localhost:8001"}})
			if response.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s %s: %d %s, want 401", method, path, response.StatusCode, body)
			}
		}
	}
}

// otherWay sends the token where a page or the browser history could have it.
type otherWay struct {
	row
	path   string
	header http.Header
}

// TestTokenInOneWayOnly: no browser sends an Authorization header by itself.
func TestTokenInOneWayOnly(t *testing.T) {
	t.Parallel()
	config := shared.ClientConfig()
	token := config.BearerToken
	config.BearerToken = ""
	basic := base64.StdEncoding.EncodeToString([]byte(auth.Administrator + ":" + token))
	protocol := "base64url.bearer.authorization.k8s.io." + base64.RawURLEncoding.EncodeToString([]byte(token))
	testtable.Run(t, []otherWay{
		{row{"query", "addresses are in logs"}, "/version?access_token=" + token + "&token=" + token, nil},
		{row{"password", "browsers remember them"}, "/version", http.Header{"Authorization": {"Basic " + basic}}},
		{row{"cookie", "browsers send them by themselves"}, "/version", http.Header{"Cookie": {"token=" + token}}},
		{row{"protocol", "pages may choose it"}, "/version", http.Header{"Sec-Websocket-Protocol": {protocol + ", v4.channel.k8s.io"}, "Connection": {"Upgrade"}, "Upgrade": {"websocket"}}},
		{row{"header of a proxy", "there is none in front"}, "/version", http.Header{"X-Remote-User": {auth.Administrator}, "X-Remote-Group": {"system:masters"}}},
		{row{"no token", "an empty token is none"}, "/version", http.Header{"Authorization": {"Bearer "}}},
		{row{"other case", "a token is compared as it is"}, "/version", http.Header{"Authorization": {"Bearer " + strings.ToLower(token)}}},
		{row{"more than the token", "likewise"}, "/version", http.Header{"Authorization": {"Bearer " + token + "x"}}},
		{row{"as another", "impersonation requires authentication"}, "/version", http.Header{"Impersonate-User": {auth.Administrator}}},
	}, func(t *testing.T, r otherWay) {
		if response, body := web(t, config, http.MethodGet, r.path, "", r.header); response.StatusCode != http.StatusUnauthorized {
			t.Errorf("got %d %s, want 401", response.StatusCode, body)
		}
	})
}
