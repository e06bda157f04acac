//go:build promises

package calibration

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"example.com/gatehouse/test/internal/mutant"
)

// TestSwitchesInChurn builds the soak with all faults, and requires mode churn
// to find none without one of them, and each of them if it is active, in a run
// of some seconds.
func TestSwitchesInChurn(t *testing.T) {
	mutants, err := churnMutants()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	overlay, err := mutant.Overlay(module, folder, mutants)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "soak")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", binary, "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the faults: %v\n%s", err, out)
	}
	t.Run("none", func(t *testing.T) {
		if out, err := churn(t, binary, "", "20s"); err != nil {
			t.Errorf("without a fault: %v\n%s", err, out)
		}
	})
	for _, r := range churnFaults() {
		t.Run(r.kind, func(t *testing.T) {
			shows := regexp.MustCompile(r.shows)
			var out []byte
			for _, duration := range []string{"4s", "8s", "16s", "32s"} { // a slow machine may not come to it
				if out, err = churn(t, binary, r.kind, duration); err != nil && shows.Match(out) {
					return
				}
			}
			t.Errorf("it was not found, or for another reason than %s:\n%s", r.shows, out)
		})
	}
}

// churn runs mode churn with a fault.
func churn(t *testing.T, binary, fault, duration string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "-mode=churn", "-duration="+duration)
	cmd.Env = append(os.Environ(), mutant.Variable+"="+fault)
	return cmd.CombinedOutput()
}
