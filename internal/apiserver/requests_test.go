package apiserver

import (
	"net/http"
	"testing"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/apiserver/requests"
)

// TestRequestsAreForUsers: what was asked of the server is shown to those who
// may ask it anything.
func TestRequestsAreForUsers(t *testing.T) {
	t.Parallel()
	server := start(t, Config{Requests: requests.New()})
	anonymous := *server
	anonymous.client = rest.AnonymousClientConfig(server.client)
	for _, tc := range []struct {
		server     *Server
		verb, path string
		want       int
	}{
		{server, http.MethodGet, requests.Path, http.StatusOK},
		{server, http.MethodGet, requests.Path + "/1", http.StatusNotFound},
		{server, http.MethodPost, requests.Path, http.StatusMethodNotAllowed},
		{&anonymous, http.MethodGet, requests.Path, http.StatusUnauthorized},
		{&anonymous, http.MethodGet, requests.Path + "/1", http.StatusUnauthorized},
		{shared, http.MethodGet, requests.Path, http.StatusNotFound},
	} {
		if code, body := send(t, tc.server, tc.verb, tc.path, ""); code != tc.want {
			t.Errorf("%s %s: got %d %s, want %d", tc.verb, tc.path, code, body, tc.want)
		}
	}
}
