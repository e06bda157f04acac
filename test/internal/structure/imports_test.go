package structure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

const module = "example.com/gatehouse"

// rings says how far from the ground each package is. A package may import its
// own ring's bases (see bases) and everything below it, never what is above or
// beside it: the arrows run one way.
var rings = map[string]int{
	"admission":                    0,
	"reinvocation":                 0,
	"internal/testutil/testtable":  0,
	"internal/testutil/testenv":    0,
	"internal/engine/failpoint":    0,
	"matching":                     1,
	"audit":                        1,
	"metrics":                      1,
	"internal/cel":                 1,
	"internal/engine/review":       1,
	"admission/limits":             0,
	"internal/engine/patch":        1,
	"admission/registration":       1,
	"admission/request":            1,
	"internal/offline/requestfile": 1,
	"dispatcher":                   2,
	"dispatcher/source":            3,
	"dispatcher/client":            3,
	"internal/offline/merge":       3,

	"dispatcher/source/static": 3,
	"dispatcher/explain":       3,
}

// above is the ring of everything that is not in the table: plugin, command,
// examples, tests.
const above = 4

// bases are the imports inside a ring that are meant to be.
var bases = map[string]string{
	"matching":               "internal/cel",
	"admission/registration": "internal/cel",
}

// helpers belong to no ring: they know nothing of admission.
var helpers = map[string]bool{
	"internal/certs":    true,
	"internal/hostname": true,
	"internal/manifest": true,
	"internal/message":  true,
}

// forbidden must not be linked, even indirectly, by whoever embeds the engine.
var forbidden = map[string]string{
	"k8s.io/client-go":                              "the engine must not bring a client along: how webhooks are found and reached is ring 3",
	"google.golang.org/grpc":                        "66 packages for exporters that the engine does not have",
	"go.etcd.io":                                    "storage belongs to servers",
	"k8s.io/apiserver/pkg/admission/metrics":        "importing it registers metrics in a global registry",
	"k8s.io/apiserver/pkg/util/webhook":             "it links client-go and grpc",
	"k8s.io/apiserver/pkg/admission/plugin/webhook": "the engine is the alternative to these packages, not a wrapper of them",
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string

	TestImports, XTestImports []string
}

// goList runs go list on the module's packages: once, whichever test asks first.
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

// list returns the module's packages by their short paths. All tests share them.
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

// isUnder reports whether a package is the one at root, or in a folder below it.
func isUnder(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

func ringOf(name string) int {
	if ring, ok := rings[name]; ok {
		return ring
	}
	return above
}

func TestImportsRunOneWay(t *testing.T) {
	packages := list(t)
	for name := range rings {
		if _, ok := packages[name]; !ok {
			t.Errorf("%s is in the table but not in the module", name)
		}
	}
	for name, p := range packages {
		if ringOf(name) == above {
			continue
		}
		for _, path := range p.Imports {
			if !inModule(path) {
				continue
			}
			imported := short(path)
			switch {
			case helpers[imported], bases[name] == imported, ringOf(imported) < ringOf(name):
			default:
				t.Errorf("%s (ring %d) imports %s (ring %d)", name, ringOf(name), imported, ringOf(imported))
			}
		}
	}
}

func TestEngineLinksNothingHeavy(t *testing.T) {
	packages := list(t)
	for name, ring := range rings {
		if ring > 2 {
			continue
		}
		for _, dep := range packages[name].Deps {
			for prefix, why := range forbidden {
				if isUnder(dep, prefix) {
					t.Errorf("%s links %s: %s", name, dep, why)
				}
			}
		}
	}
}

// TestVocabularyIsSmall keeps ring 0 to the API types, so that everything may
// import it.
func TestVocabularyIsSmall(t *testing.T) {
	packages := list(t)
	for _, name := range []string{"admission", "reinvocation"} {
		for _, path := range packages[name].Imports {
			if short(path) == bases[name] || helpers[short(path)] {
				continue
			}
			standard := !strings.Contains(strings.SplitN(path, "/", 2)[0], ".")
			if !standard && !strings.HasPrefix(path, "k8s.io/api/") && !strings.HasPrefix(path, "k8s.io/apimachinery/") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// TestTablesAreForTests keeps the package testing out of whatever is no test.
func TestTablesAreForTests(t *testing.T) {
	for name, p := range list(t) {
		for _, path := range p.Imports {
			if short(path) == "internal/testutil/testtable" {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// comparisons are the packages that may import the oracle without being tests,
// and why.
var comparisons = map[string]string{
	"test/internal/parity":           "it holds every behaviour against upstream's",
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
