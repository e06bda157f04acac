//go:build mutants

package parity

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/gatehouse/test/internal/mutant"
	mutants "example.com/gatehouse/test/internal/parity/mutant"
)

// TestMutants builds this package's tests with an overlay of the engine that
// has faults, and requires the comparison to fail for each fault and to pass
// with none active. It takes minutes, hence the build tag: make mutants.
func TestMutants(t *testing.T) {
	folder := t.TempDir()
	overlay, err := mutant.Overlay("../../..", folder, append(mutants.All(), mutants.Exchanges()...))
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "parity.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the mutants: %v\n%s", err, out)
	}
	t.Run("comparison", func(t *testing.T) { kill(t, binary, mutants.All(), killers()) })
	t.Run("contract", func(t *testing.T) { kill(t, binary, mutants.Exchanges(), []string{contracts}) })
}

// kill requires that the tests pass, and that one of them fails for each
// mutant.
func kill(t *testing.T, binary string, list []mutant.Mutant, killers []string) {
	t.Helper()
	if out, err := suite(t.Context(), binary, "", "^("+strings.Join(killers, "|")+")$"); err != nil {
		t.Fatalf("without a fault the suite fails: %v\n%s", err, last(out))
	}
	killed := 0
	for _, m := range list {
		t.Run(m.Name, func(t *testing.T) {
			for _, tests := range killers {
				out, err := suite(t.Context(), binary, m.Name, "^"+tests+"$")
				if err != nil && !found.Match(out) {
					t.Fatalf("the suite fails, but not because of a difference: %v\n%s", err, last(out))
				}
				if err != nil {
					killed++
					t.Logf("killed by %s: %s", tests, first(out))
					return
				}
			}
			t.Error("it survives: nothing that is compared shows it")
		})
	}
	t.Logf("mutants: killed %d of %d", killed, len(list))
}

// killers are the tests that compare. Those that draw their scenarios come last, so that
// the log shows which mutants only chance kills.
func killers() []string {
	return []string{"TestScenarios", "TestPatchesOfObjects", "TestPatchesOfTypes", "TestRelations", "TestTogether", "TestGenerated"}
}

// contracts is the test that holds every fault against what is promised about
// it.
const contracts = "TestFaults"

// suite runs tests with a mutant awake.
func suite(ctx context.Context, binary, name, tests string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, binary, "-test.run", tests, "-test.failfast", "-test.timeout", "10m",
		"-cases", "400", "-rapid.shrinktime", "0s")
	cmd.Env = append(os.Environ(), mutant.Variable+"="+name)
	return cmd.CombinedOutput()
}

// found matches the report's last lines when there was a difference.
var found = regexp.MustCompile(`differences( from the contract)? [1-9]`)

var difference = regexp.MustCompile(`(?s)step \d+: .*?(\n\s+\S+: .*?){2}\n`)

// first returns the first difference that was found.
func first(out []byte) string {
	if found := difference.Find(out); found != nil {
		return string(bytes.TrimSpace(found))
	}
	return last(out)
}

// last returns the end of an output.
func last(out []byte) string {
	const most = 2000
	return string(out[max(len(out)-most, 0):])
}
