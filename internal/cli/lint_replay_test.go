package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

// witnessArguments are the flags of gatehouse run in the comment of a witness.
var witnessArguments = regexp.MustCompile(`gatehouse run -f FILES (.*) THIS`)

// lintReport is what the test reads of the JSON of gatehouse lint.
type lintReport struct {
	Findings []struct {
		problem
		Others []problem
	}
}

type problem struct {
	ID        string
	Witnesses []struct{ Effect string }
}

// TestWitnessesReplay replays the witness of every finding about the projects and the twins
// with gatehouse run: what is refused is refused, and what passes passes. A backend that
// hangs takes its time, so the witnesses of slow findings run at the same time.
func TestWitnessesReplay(t *testing.T) {
	t.Parallel()
	replayed := 0
	var all errgroup.Group
	all.SetLimit(100) // most wait, for up to 30 s
	defer func() { _ = all.Wait() }()
	for _, file := range lintInputs(t) {
		var out bytes.Buffer
		execute(t.Context(), []string{"lint", file, "-o", "json", "--level", "info"}, nil, &out, io.Discard)
		var report lintReport
		if err := json.Unmarshal(out.Bytes(), &report); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, f := range report.Findings {
			for _, p := range append(f.Others, f.problem) {
				if len(p.Witnesses) == 0 {
					continue
				}
				replayed++
				witness := witnessOf(t, file, p.ID)
				all.Go(func() error {
					replayWitness(t, file, p.ID, witness, p.Witnesses[0].Effect)
					return nil
				})
			}
		}
	}
	t.Logf("%d witnesses were replayed", replayed)
	if replayed < 200 {
		t.Errorf("only %d witnesses were replayed", replayed)
	}
}

// lintInputs are the configurations of projects, and the guilty twins.
func lintInputs(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{
		"../../admission/registration/testdata/projects/*.yaml", "../lint/rules/testdata/*/guilty.yaml",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	return all
}

// witnessOf returns the witness of a finding.
func witnessOf(t *testing.T, file, id string) []byte {
	t.Helper()
	var witness, said bytes.Buffer
	if status := execute(t.Context(), []string{"lint", file, "--witness", id}, nil, &witness, &said); status != 0 {
		t.Fatalf("--witness %s: status %d: %s", id, status, &said)
	}
	return witness.Bytes()
}

// replayWitness runs the witness of a finding. It is called from other goroutines than the test's.
func replayWitness(t *testing.T, file, id string, witness []byte, effect string) {
	var out, said bytes.Buffer
	found := witnessArguments.FindSubmatch(witness)
	if found == nil {
		t.Errorf("the witness of %s does not say how to run it:\n%s", id, witness)
		return
	}
	path := filepath.Join(t.TempDir(), "witness.yaml")
	if err := os.WriteFile(path, witness, 0o600); err != nil {
		t.Error(err)
		return
	}
	args := []string{"run", "-f", file, path, "-o", "json"}
	for _, a := range strings.Fields(string(found[1])) {
		args = append(args, strings.Trim(a, "'"))
	}
	status := execute(t.Context(), args, nil, &out, &said)
	want := 0
	if effect == "refused" {
		want = 1
	}
	if status != want {
		t.Errorf("%s: lint says %q, and gatehouse %s ends with status %d:\n%s%s",
			id, effect, strings.Join(args, " "), status, &out, &said)
	}
}
