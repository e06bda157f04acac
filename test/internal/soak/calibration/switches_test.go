//go:build promises

package calibration

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"example.com/gatehouse/test/internal/mutant"
	"example.com/gatehouse/test/internal/soak/promise"
)

// TestSwitches builds this package's tests with an overlay of gatehouse's
// sources that has all switches. With none active gatehouse must keep every
// promise. With one active, the check of its promise must report that it is
// broken, and that the switch is the reason. The checks of other promises are
// not evaluated then, because some faults break several. The test takes
// minutes, hence the build tag: make promises.
func TestSwitches(t *testing.T) {
	folder := t.TempDir()
	overlay, err := mutant.Overlay(module, folder, promise.Mutants())
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "calibration.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the switches: %v\n%s", err, out)
	}
	var table bytes.Buffer
	columns := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "promise\tgatehouse\twith its switch\tkube-apiserver")
	shows := map[string]*regexp.Regexp{}
	for _, s := range promise.Switches() {
		shows[s.Promise] = regexp.MustCompile(s.Shows)
	}
	for _, p := range promise.All() {
		t.Run(p.Name, func(t *testing.T) {
			r := runner{binary: binary, promise: p.Name, shows: shows[p.Name]}
			fmt.Fprintf(columns, "%s\t%s\t%s\t%s\n", p.Name, r.sound(t), r.thrown(t), r.upstream(t))
		})
	}
	_ = columns.Flush() // to memory
	t.Logf("\n%s", &table)
}

// runner runs the tests of one promise.
type runner struct {
	binary, promise string
	// shows is what the evidence has to show when the switch is thrown.
	shows *regexp.Regexp
}

// run runs a test with a switch thrown; "" is none.
func (r runner) run(ctx context.Context, test, thrown string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.binary, "-test.v", "-test.timeout=3m", "-test.run=^"+test+"$/^"+r.promise+"$")
	if thrown == "" {
		cmd.Args = append(cmd.Args, "-chance", "-bursts="+strconv.Itoa(*bursts))
	}
	cmd.Env = append(os.Environ(), mutant.Variable+"="+thrown)
	return cmd.CombinedOutput()
}

// sound requires that the promise is kept.
func (r runner) sound(t *testing.T) string {
	out, err := r.run(t.Context(), "TestGatehouse", "")
	if err != nil {
		t.Errorf("with no switch thrown: %v\n%s", err, out)
		return "broken"
	}
	return strings.TrimSuffix("kept: "+observed(out), ": ")
}

// thrown requires that the switch breaks the promise and that the check reports
// it: a crash, or a check that cannot decide, does not count.
func (r runner) thrown(t *testing.T) string {
	out, err := r.run(t.Context(), "TestGatehouse", r.promise)
	if err == nil || !bytes.Contains(out, []byte(brokenMark+r.promise+"\n")) {
		t.Errorf("with its switch thrown the promise is to be found broken: %v\n%s", err, out)
		return "not found"
	}
	if _, evidence, _ := bytes.Cut(out, []byte(observedMark)); !r.shows.Match(evidence) {
		t.Errorf("with its switch thrown the promise was found broken for another reason than %s:\n%s", r.shows, out)
		return "not found"
	}
	return "broken: " + observed(out)
}

// upstream requires the known faults of kube-apiserver.
func (r runner) upstream(t *testing.T) string {
	out, err := r.run(t.Context(), "TestUpstream", "")
	switch what := observed(out); {
	case err != nil:
		t.Errorf("kube-apiserver: %v\n%s", err, out)
		return "unknown"
	case what == "<nil>":
		return "kept"
	default:
		return "broken: " + what
	}
}

var observation = regexp.MustCompile(observedMark + `(.*)`)

// observed returns the beginning of what a test has observed.
func observed(out []byte) string {
	found := observation.FindSubmatch(out)
	if found == nil {
		return ""
	}
	const most = 90
	text := []rune(string(found[1]))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
