package apiserver

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/apiserver/pkg/server/mux"
	"k8s.io/apiserver/pkg/server/routes"
	"k8s.io/kube-openapi/pkg/handler3"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/apiserver/serviceaccounts"
)

// TestOpenAPIIsUpstreams compares all documents with those that k8s.io/apiserver
// makes in PrepareRun.
func TestOpenAPIIsUpstreams(t *testing.T) {
	t.Parallel()
	s := &Server{}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	listener := must[net.Listener](t)(s.listen(t.Context(), defaultListen))
	id := must[auth.Identity](t)(auth.NewIdentity("127.0.0.1", ""))
	s.client = id.ClientConfig(listener.Addr().String(), id.Token)
	endpoint := must[string](t)(s.startEtcd(t.Context(), ""))
	tokens := must[*serviceaccounts.Tokens](t)(serviceaccounts.Open(""))
	server := must[assembly](t)(s.assemble(t.Context(), Config{}, id, tokens, listener, endpoint))
	if err := s.run(t.Context(), server); err != nil {
		t.Fatal(err)
	}

	// The server's configuration is not to be had any more; this is another one
	// like it.
	config := newConfig(must[scheme.Schemes](t)(scheme.New()), id, tokens, listener, nil)
	config.Complete(nil)
	upstream := mux.NewPathRecorderMux("upstream")
	oracle := routes.OpenAPI{Config: config.OpenAPIConfig, V3Config: config.OpenAPIV3Config}
	oracle.InstallV2(server.Handler.GoRestfulContainer, upstream)
	oracle.InstallV3(server.Handler.GoRestfulContainer, upstream)

	compareDocument(t, "/openapi/v2", server.Handler.NonGoRestfulMux, upstream)
	var groups handler3.OpenAPIV3Discovery
	list := compareDocument(t, "/openapi/v3", server.Handler.NonGoRestfulMux, upstream)
	if err := json.Unmarshal(list, &groups); err != nil {
		t.Fatal(err)
	}
	if _, ok := groups.Paths["apis/apps/v1"]; !ok {
		t.Errorf("there are only %v", groups.Paths)
	}
	for name := range groups.Paths {
		compareDocument(t, "/openapi/v3/"+name, server.Handler.NonGoRestfulMux, upstream)
	}
}

// compareDocument gets a document from both, and returns it.
func compareDocument(t *testing.T, path string, ours, upstream http.Handler) []byte {
	t.Helper()
	get := func(from http.Handler) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		from.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer
	}
	got, want := get(ours), get(upstream)
	if got.Code != http.StatusOK || got.Body.String() != want.Body.String() ||
		got.Header().Get("Etag") != want.Header().Get("Etag") {
		t.Errorf("%s: got %d with %d bytes, want %d with the %d bytes of k8s.io/apiserver",
			path, got.Code, got.Body.Len(), want.Code, want.Body.Len())
	}
	return got.Body.Bytes()
}
