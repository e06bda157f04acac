package embedding

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/apiserver"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// starter starts a server of a kind.
type starter struct {
	name  string
	start func(*testing.T, plugins, environment) *server
}

func starters() []starter {
	return []starter{{"extension", startExtension}, {"aggregated", startAggregated}}
}

// TestScenarios runs every scenario in every server with both sets of plugins.
func TestScenarios(t *testing.T) {
	e := newEnvironment(t)
	for _, kind := range starters() {
		t.Run(kind.name, func(t *testing.T) {
			var servers []*server
			for _, p := range both() {
				s := kind.start(t, p, e)
				t.Cleanup(s.stop)
				servers = append(servers, s)
			}
			for _, sc := range scenarios() {
				t.Run(sc.name, func(t *testing.T) { sc.compare(t, kind.name, servers, e) })
			}
		})
	}
}

// startHost starts the API server that has the configurations.
func startHost(t *testing.T) *rest.Config {
	t.Helper()
	s, err := apiserver.Start(t.Context(), apiserver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s.ClientConfig()
}

// compare runs a scenario in servers that differ in their plugins.
func (sc scenario) compare(t *testing.T, name string, servers []*server, e environment) {
	client, err := kubernetes.NewForConfig(e.host)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t, s, client, e.hooks, e.namespaceOf(name, sc.name, s.name))
			sc.run(t, w)
			w.noteAudit(t)
			w.noteMetrics(t)
			w.check(t, filepath.Join("testdata", name, sc.name+".txt"), sc.why)
		})
	}
}

// check compares the transcript with a file. With -update, the file is what
// upstream's plugins did: gatehouse's have to do the same.
func (w *world) check(t *testing.T, file, why string) {
	t.Helper()
	got := strings.ReplaceAll(w.text(), w.namespace, "NAMESPACE")
	if *update && w.name == "upstream" {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s (-want +got):\n%s", file, why, diff)
	}
}
