package snapshot

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

// server is an API server with all kinds and few objects.
type server struct {
	// objects are lists in YAML, by the path of the collection.
	objects map[string]string
	// handlers replace the answers for paths, and missing are paths that are not served.
	handlers map[string]http.HandlerFunc
	missing  []string

	mu       sync.Mutex
	requests []string
}

// start starts it and returns how it is reached.
func (s *server) start(t *testing.T) *rest.Config {
	t.Helper()
	listener := httptest.NewServer(s)
	t.Cleanup(listener.Close)
	return &rest.Config{Host: listener.URL}
}

// sent returns the requests in order.
func (s *server) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	s.mu.Unlock()
	if handler := s.handlers[r.URL.Path]; handler != nil {
		handler(w, r)
		return
	}
	if text, ok := s.objects[r.URL.Path]; ok {
		answer(w, text)
		return
	}
	if slices.Contains(s.missing, r.URL.Path) {
		refuse(w, apierrors.NewNotFound(schema.GroupResource{}, ""))
		return
	}
	served := s.served()
	if of, ok := served[r.URL.Path]; ok {
		answer(w, of)
		return
	}
	refuse(w, apierrors.NewNotFound(schema.GroupResource{}, ""))
}

// served has the answers of discovery, and empty lists of all kinds.
func (s *server) served() map[string]string {
	answers := map[string]string{"/version": `{gitVersion: v1.37.0}`}
	resources := map[string][]string{}
	for _, k := range append([]kind{pods, {kind: "ConfigMap", versions: []string{"v1"},
		GroupResource: schema.GroupResource{Resource: "configmaps"}}}, kinds...) {
		gv := schema.GroupVersion{Group: k.Group, Version: k.versions[0]}
		resources[root(gv)] = append(resources[root(gv)],
			fmt.Sprintf("{name: %s, kind: %s, namespaced: %v}", k.Resource, k.kind, !k.global))
		answers[root(gv)+"/"+k.Resource] = fmt.Sprintf("{kind: %sList}", k.kind)
	}
	for path, all := range resources {
		answers[path] = "{kind: APIResourceList, resources: [" + strings.Join(all, ", ") + "]}"
	}
	return answers
}

// answer answers with an object in YAML.
func answer(w http.ResponseWriter, object string) {
	text, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}

func refuse(w http.ResponseWriter, err *apierrors.StatusError) {
	status := err.Status()
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	text, encodeErr := json.Marshal(status)
	if encodeErr != nil {
		panic(encodeErr)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_, _ = w.Write(text)
}

// read reads a snapshot of a server.
func read(t *testing.T, s *server) (*Snapshot, error) {
	t.Helper()
	return Read(t.Context(), Config{Client: s.start(t)})
}

// mustRead reads a snapshot, writes it, and returns the content of its files.
func mustRead(t *testing.T, config Config) map[string]string {
	t.Helper()
	s, err := Read(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, s)
	return content(t, path)
}

func write(t *testing.T, path string, s *Snapshot) {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(s, "v1"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// content returns the files of a folder.
func content(t *testing.T, path string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(path, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

// names returns the names of files, in order.
func names(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }
