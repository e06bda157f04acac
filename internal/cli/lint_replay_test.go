package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	lintcommand "example.com/gatehouse/internal/cli/lint"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/rules"
)

// witnessArguments are the flags of gatehouse run in the comment of a witness.
var witnessArguments = regexp.MustCompile(`gatehouse run -f FILES (.*) THIS`)

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
		cluster := lintCluster(t, file)
		report, err := lint.Run(cluster, rules.All())
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, f := range report.Findings {
			if len(f.Witnesses) == 0 {
				continue
			}
			replayed++
			witness, err := lintcommand.WitnessOf(&f, len(cluster.Webhooks) > 0)
			if err != nil {
				t.Fatalf("%s: %s: %v", file, f.ID, err)
			}
			all.Go(func() error {
				replayWitness(t, file, f.ID, witness, f.Witnesses[0].Outcome.Effect)
				return nil
			})
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

// lintCluster reads a file as gatehouse lint does.
func lintCluster(t *testing.T, file string) *lint.Cluster {
	t.Helper()
	in, err := inventory.Read(inventory.Files{Paths: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	c, err := lint.NewCluster(t.Context(), in, time.Now(), nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

// replayWitness runs the witness of a finding. It is called from other goroutines than the test's.
func replayWitness(t *testing.T, file, id string, witness []byte, effect outage.Effect) {
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
	if effect == outage.Refused {
		want = 1
	}
	if status != want {
		t.Errorf("%s: lint says %s, and gatehouse %s ends with status %d:\n%s%s",
			id, effect, strings.Join(args, " "), status, &out, &said)
	}
}
