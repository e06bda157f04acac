package apiserver

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/mux"
	"k8s.io/apiserver/pkg/server/routes"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/spec3"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/apiserver/serviceaccounts"
)

// TestOpenAPIIsUpstreams compares all documents with those that k8s.io/apiserver
// makes in PrepareRun.
func TestOpenAPIIsUpstreams(t *testing.T) {
	t.Parallel()
	server, config := documented(t)
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

// TestOpenAPIAtOnce builds all v3 documents at once, as a request for their list
// does. None of them may refer to what the next build changes: k8s.io/apiserver
// builds one after the other, and kube-openapi's builder relies on that.
func TestOpenAPIAtOnce(t *testing.T) {
	t.Parallel()
	server, config := documented(t)
	d := &documents{container: server.Handler.GoRestfulContainer, config: config}
	services := d.container.RegisteredWebServices()
	built := make([]*spec3.OpenAPI, len(services))
	var building sync.WaitGroup
	for i, of := range services {
		building.Go(func() {
			var err error
			built[i], err = d.v3(of, strings.TrimPrefix(of.RootPath(), "/"))
			if err == nil {
				_, err = json.Marshal(built[i])
			}
			if err != nil {
				t.Errorf("%s: %v", of.RootPath(), err)
			}
		})
	}
	building.Wait()
	if t.Failed() {
		return
	}
	owners := map[uintptr]string{}
	for i, of := range services {
		for name, schema := range built[i].Components.Schemas {
			if schema.Extensions == nil {
				continue
			}
			id := reflect.ValueOf(schema.Extensions).Pointer()
			if owner, ok := owners[id]; ok {
				t.Errorf("%s and %s share the extensions of %s", owner, of.RootPath(), name)
			}
			owners[id] = of.RootPath()
		}
	}
	if len(owners) == 0 {
		t.Error("no document has an extension")
	}
}

// documented returns a server that runs, and a configuration like its own, which it
// does not keep.
func documented(t *testing.T) (assembly, *genericapiserver.Config) {
	t.Helper()
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
	config := newConfig(must[scheme.Schemes](t)(scheme.New()), id, tokens, listener, nil)
	config.Complete(nil)
	return server, config
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
