package structure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "example.com/gatehouse"

// floors are the folders of the module, from the ground up. A package may
// import the packages of its own folder and of lower floors, and nothing else:
// imports run one way, and there are no cycles of folders. A folder includes
// those below it that have no floor of their own.
var floors = [][]string{
	{"admission", "admission/limits", "reinvocation", "internal/cel", "internal/certs", "internal/filelock", "internal/filereplace", "internal/hostname", "internal/kubeclient", "internal/manifest", "internal/message"},
	{"admission/registration", "admission/request", "audit", "matching", "metrics", "internal/engine", "test/faultserver"},
	{"dispatcher/explain"},
	{"dispatcher", "internal/report", "test/admissiontest"},
	{"dispatcher/client", "dispatcher/corpus", "dispatcher/policy", "dispatcher/simulate", "dispatcher/source"},
	{"dispatcher/plugin", "internal/offline"},
	{"internal/replay", "internal/suite/suitefile"},
	{"internal/suite/process"},
	{"internal/apiserver", "internal/auditlog", "internal/conformance", "internal/equivalence", "internal/lint", "internal/portforward", "internal/snapshot", "internal/suite", "internal/whatif", "examples"},
	{"internal/testutil", "test/apiserver", "test/conformance", "test/integration", "test/webhooktest"},
	{"internal/cli", "test/internal"},
	{"cmd"},
}

// floorOf returns the folder of a package that has a floor, and the floor.
func floorOf(name string) (folder string, floor int, ok bool) {
	for i, folders := range floors {
		for _, f := range folders {
			if isUnder(name, f) && len(f) > len(folder) {
				folder, floor, ok = f, i, true
			}
		}
	}
	return folder, floor, ok
}

// kits are the packages below test/ that others below internal/ import, and
// why.
var kits = map[string]string{
	"internal/offline": "test/faultserver", // --inject starts fault servers
	"internal/cli":     "test/faultserver", // `gatehouse faults` lists what they do
}

// forbidden must not be linked by the packages of the engine, directly or
// indirectly.
var forbidden = map[string]string{
	"k8s.io/client-go":                              "the engine must not bring a client along: how webhooks are found and reached is floor 3",
	"google.golang.org/grpc":                        "66 packages for exporters that the engine does not have",
	"go.etcd.io":                                    "storage belongs to servers",
	"k8s.io/apiserver/pkg/admission/metrics":        "importing it registers metrics in a global registry",
	"k8s.io/apiserver/pkg/util/webhook":             "it links client-go and grpc",
	"k8s.io/apiserver/pkg/admission/plugin/webhook": "the engine is the alternative to these packages, not a wrapper of them",
}

// servers must not be linked by the command gatehouse, which users compile
// before its first use.
var servers = map[string]string{
	"internal/apiserver": "the API server is a program of its own, as large as the command",
	"go.etcd.io":         "the command stores nothing",
	"k8s.io/apiserver/pkg/endpoints/handlers": "it serves the API",
	"k8s.io/apiserver/pkg/registry":           "every generic API server links it, the command stores nothing",
	"k8s.io/client-go/kubernetes/typed":       "the clients of all groups take 25 s to compile, and there is no server to call",
	"k8s.io/client-go/informers":              "they link the clients of all groups",
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string

	TestImports, XTestImports []string
}

// goList runs go list on the module's packages, once for all tests.
var goList = sync.OnceValues(func() (map[string]listed, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,TestImports,XTestImports", "./...")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	packages := map[string]listed{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages, nil
		}
		if err != nil {
			return nil, err
		}
		packages[short(p.ImportPath)] = p
	}
})

// list returns the module's packages by their short paths. All tests share
// them.
func list(t *testing.T) map[string]listed {
	t.Helper()
	packages, err := goList()
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func short(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
}

func inModule(importPath string) bool { return strings.HasPrefix(importPath, module+"/") }

// isStandard reports whether a package is one of the standard library.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// isUnder reports whether a package is the one at root, or in a folder below
// it.
func isUnder(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

func TestImportsRunOneWay(t *testing.T) {
	packages := list(t)
	for i, folders := range floors {
		for _, folder := range folders {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(packages)), func(name string) bool { return isUnder(name, folder) }) {
				t.Errorf("%s on floor %d is not in the module", folder, i)
			}
		}
	}
	for name, p := range packages {
		folder, floor, ok := floorOf(name)
		if !ok {
			t.Errorf("%s is on no floor", name)
		}
		for _, path := range p.Imports {
			if !inModule(path) {
				continue
			}
			imported := short(path)
			if below, at, _ := floorOf(imported); below != folder && at >= floor {
				t.Errorf("%s (floor %d) imports %s (floor %d)", name, floor, imported, at)
			}
			if isUnder(name, "internal") && !isUnder(name, "internal/testutil") && isUnder(imported, "test") && kits[folder] != imported {
				t.Errorf("%s imports %s: what is below internal/ needs no tests", name, imported)
			}
		}
	}
}

// TestCommandIsOnTop keeps the commands out of everything, tests included, but
// their main packages.
func TestCommandIsOnTop(t *testing.T) {
	for name, p := range list(t) {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if isUnder(short(path), "internal/cli") && !isUnder(name, "internal/cli") && !isUnder(name, "cmd") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// engine are the packages that an embedder links who has its own source and
// client.
var engine = []string{"admission", "admission/limits", "admission/registration", "admission/request", "audit",
	"dispatcher", "dispatcher/explain", "matching", "metrics", "reinvocation"}

func TestEngineLinksNothingHeavy(t *testing.T) {
	packages := list(t)
	for _, name := range engine {
		p, ok := packages[name]
		if !ok {
			t.Errorf("%s is not in the module", name)
		}
		for _, dep := range p.Deps {
			for prefix, why := range forbidden {
				if isUnder(dep, prefix) {
					t.Errorf("%s links %s: %s", name, dep, why)
				}
			}
		}
	}
}

// TestPluginsAddFewPackages bounds the weight of the plugins on an embedder, in
// packages. What else they add, `make weight` measures.
func TestPluginsAddFewPackages(t *testing.T) {
	packages := list(t)
	const upstream = "k8s.io/apiserver/pkg/admission/plugin/webhook/"
	cmd := exec.Command("go", "list", "-deps", upstream+"mutating", upstream+"validating")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	plugins := packages["dispatcher/plugin"]
	linked := append([]string{plugins.ImportPath}, plugins.Deps...)
	if more := len(linked) - len(strings.Fields(string(out))); more > 24 {
		t.Errorf("the plugins link %d packages more than upstream's; docs/embedding.md promises 24", more)
	}
	server := packages["examples/aggregated-apiserver/server"].Deps
	for _, path := range linked {
		if !inModule(path) && !isStandard(path) && !slices.Contains(server, path) {
			t.Errorf("the plugins link %s, and other API servers do not", path)
		}
	}
}

// TestCommandLinksNoServer keeps the first `go run ./cmd/gatehouse demo` short.
// That the program of the API server links each of them shows that the names
// are right.
func TestCommandLinksNoServer(t *testing.T) {
	packages := list(t)
	links := func(name, prefix string) bool {
		return slices.ContainsFunc(packages[name].Deps, func(dep string) bool {
			return isUnder(dep, prefix) || isUnder(dep, module+"/"+prefix)
		})
	}
	for prefix, why := range servers {
		if links("cmd/gatehouse", prefix) {
			t.Errorf("cmd/gatehouse links %s: %s", prefix, why)
		}
		if !links("cmd/gatehouse-apiserver", prefix) {
			t.Errorf("cmd/gatehouse-apiserver does not link %s", prefix)
		}
	}
}

// TestVocabularyIsSmall keeps the vocabulary to the API types, so that
// everything may import it.
func TestVocabularyIsSmall(t *testing.T) {
	packages := list(t)
	for _, name := range []string{"admission", "reinvocation"} {
		for _, path := range packages[name].Imports {
			if !isStandard(path) && !strings.HasPrefix(path, "k8s.io/api/") && !strings.HasPrefix(path, "k8s.io/apimachinery/") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// TestTestHelpersAreForTests keeps the package testing out of what is no test.
func TestTestHelpersAreForTests(t *testing.T) {
	for name, p := range list(t) {
		if isUnder(name, "internal/testutil") || isUnder(name, "test/internal") || isUnder(name, "test/integration") {
			continue
		}
		for _, path := range p.Imports {
			isForTests := isUnder(short(path), "internal/testutil") || path == "testing" && !helpsTests(name)
			if isForTests {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// helpsTests reports whether a package exists for tests, of embedders or of the module.
func helpsTests(name string) bool {
	return isUnder(name, "test") || name == "internal/conformance/probe/probetest"
}

// comparisons are the packages that may import the oracle, or a part of it,
// without being tests, and why.
var comparisons = map[string]string{
	"dispatcher/policy":              "the matchConditions of policies have kube-apiserver's matcher, and its metrics",
	"test/internal/parity":           "it holds every behaviour against upstream's",
	"test/internal/parity/policies":  "it holds policies and webhooks in one chain against upstream's",
	"test/internal/benchmark":        "it measures both sides in one program",
	"test/internal/soak/calibration": "it finds the known faults of upstream's again",
}

// TestOracleIsImportedByComparisonsOnly keeps upstream's webhook plugins out of
// everything that is not a comparison with them. The types of their
// configuration file are no part of the oracle.
func TestOracleIsImportedByComparisonsOnly(t *testing.T) {
	packages := list(t)
	for name := range comparisons {
		if _, ok := packages[name]; !ok {
			t.Errorf("%s is in the table but not in the module", name)
		}
	}
	for name, p := range packages {
		if comparisons[name] != "" {
			continue
		}
		for _, path := range p.Imports {
			const plugins = "k8s.io/apiserver/pkg/admission/plugin/webhook"
			if strings.HasPrefix(path, plugins) && !strings.HasPrefix(path, plugins+"/config/apis") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
