//go:build mutants

package mutants

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"example.com/gatehouse/test/internal/mutant"
	"example.com/gatehouse/test/internal/processgroup"
)

// TestMutants requires that the tests of each area fail for each of its faults,
// and pass with none active.
func TestMutants(t *testing.T) {
	folder := t.TempDir()
	overlay, err := mutant.Overlay(module, folder, every())
	if err != nil {
		t.Fatal(err)
	}
	killed, all := 0, 0
	for _, a := range areas() {
		t.Run(a.name, func(t *testing.T) {
			binary := a.build(t, overlay, filepath.Join(folder, a.name+".test"))
			if out, err := a.test(t, binary, ""); err != nil {
				t.Fatalf("without a fault the tests fail: %v\n%s", err, out)
			}
			for _, m := range mutant.Mutants(a.faults...) {
				t.Run(m.Name, func(t *testing.T) { // not called for those that -run leaves out
					all++
					a.kill(t, binary, m.Name)
					if !t.Failed() {
						killed++
					}
				})
			}
		})
	}
	t.Logf("mutants: killed %d of %d", killed, all)
}

// build builds the tests of an area over the overlay.
func (a *area) build(t *testing.T, overlay, binary string) string {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, "./"+a.folder)
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the mutants: %v\n%s", err, out)
	}
	return binary
}

// kill requires that the tests of an area fail with a mutant awake.
func (a *area) kill(t *testing.T, binary, name string) {
	t.Helper()
	out, err := a.test(t, binary, name)
	var ended *exec.ExitError
	switch {
	case out.failed != "":
		t.Logf("killed by %s", out.failed)
	case err == nil:
		t.Error("it survives: no test fails")
	case !errors.As(err, &ended), hung.Match(out.text):
		t.Errorf("no test fails, but they do not come to an end: %v\n%s", err, out)
	default: // a panic, or a goroutine that is left
		t.Logf("killed: %v\n%s", err, out)
	}
}

// test runs the tests of an area with a mutant awake, until one fails.
func (a *area) test(t *testing.T, binary, name string) (*output, error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	// Tests wait up to two minutes for what a fault prevents.
	flags := append([]string{"-test.run", ".", "-test.failfast", "-test.timeout", "6m"}, a.flags...)
	cmd := exec.CommandContext(ctx, binary, flags...)
	cmd.Dir = filepath.Join(module, a.folder)
	// Tests that are stopped leave their files.
	cmd.Env = append(os.Environ(), mutant.Variable+"="+name, "TMPDIR="+t.TempDir())
	out := &output{stop: stop}
	cmd.Stdout, cmd.Stderr = out, out
	processgroup.Own(cmd)
	defer processgroup.End(cmd)
	return out, cmd.Run()
}

// output is what tests write. It stops them when the first one has failed.
type output struct {
	text   []byte
	failed string // the test
	stop   func()
}

// Write implements io.Writer.
func (o *output) Write(text []byte) (int, error) {
	o.text = append(o.text, text...)
	if found := failure.FindSubmatch(o.text); found != nil {
		o.failed = string(found[1])
		o.stop()
	}
	return len(text), nil
}

// String returns the end of the output, which matters most.
func (o *output) String() string {
	const most = 2000
	return string(o.text[max(len(o.text)-most, 0):])
}

var (
	failure = regexp.MustCompile(`--- FAIL: (\S+)`)
	hung    = regexp.MustCompile(`panic: test timed out`)
)
