//go:build peers

package peers

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/test/internal/processgroup"
)

// binary is the built command.
var binary string

func TestMain(m *testing.M) { os.Exit(process.Run(context.Background(), m, &binary)) }

// TestControllerRuntime runs the specs of each package in each way. Each run has
// a server of its own. In the second way only packages that import envtest run.
func TestControllerRuntime(t *testing.T) {
	causes := listed(t)
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			module := copyModule(t)
			var total outcome
			for _, name := range packages {
				folder := filepath.Join(module, "pkg", name)
				if way == imported && !replaceImports(t, folder) {
					continue
				}
				t.Run(name, func(t *testing.T) {
					o := runSpecs(t, way, folder)
					prefix := way + " " + name + ": "
					for i := range o.failed {
						o.failed[i] = prefix + o.failed[i]
					}
					for _, problem := range compare(causes, prefix, o.failed) {
						t.Error(problem)
					}
					t.Logf("specs: %s%s", prefix, o)
					total.ran += o.ran
					total.repeated += o.repeated
					total.failed = append(total.failed, o.failed...)
				})
			}
			t.Logf("specs: %s, all packages: %s", way, total)
		})
	}
}

// runSpecs builds the tests in a folder and runs them against a new server.
func runSpecs(t *testing.T, way, folder string) outcome {
	t.Helper()
	results := t.TempDir()
	built, report := filepath.Join(results, "specs"), filepath.Join(results, "report.json")
	run(t, folder, "go", "test", "-mod=mod", "-vet=off", "-ldflags=-w", "-c", "-o", built)
	// Some specs depend on time: cache's "should allow for get informer to be
	// cancelled" fails if the informer has synced before it looks at its context.
	command := exec.CommandContext(t.Context(), built, "-ginkgo.json-report="+report, "-ginkgo.flake-attempts=2")
	processgroup.Own(command)
	defer processgroup.End(command)
	command.Dir = folder
	if way == serve {
		// envtest's kube-apiserver enforces roles.
		server := process.Start(t, binary, "--quiet", "--authorization=RBAC")
		server.Config(t)
		command.Env = append(os.Environ(), "USE_EXISTING_CLUSTER=true", "KUBECONFIG="+server.Kubeconfig)
	}
	printed, _ := command.CombinedOutput() // the report has what failed
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("there is no report: %v\n%s", err, printed)
	}
	o, err := readReport(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
