//go:build unix

package process

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/processtest"
)

// TestDeaf stops a command that does not listen to SIGTERM.
func TestDeaf(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Exec: with(as("server that is deaf"), impatient)})
	wantStopped(t, p)
	if ended := p.command.ProcessState.String(); ended != "signal: killed" {
		t.Errorf("it ended with %s", ended)
	}
}

// TestGrandchild stops a command of which a child does not listen to SIGTERM.
func TestGrandchild(t *testing.T) {
	t.Parallel()
	e := with(as("parent"), printing)
	e.StopSeconds = 5 // for a server that ends, on a busy machine
	p := start(t, Config{Exec: e})
	child := dreamerIn(t, p.Printed())
	if !processtest.Runs(child) {
		t.Error("there is no child to be stopped")
	}
	wantStopped(t, p)
	if processtest.Runs(child) {
		t.Error("its child still runs")
	}
	if !strings.HasSuffix(p.Printed(), "stopped gently\n") {
		t.Errorf("it had no time to end by itself: it printed %q", p.Printed())
	}
}

// TestParentLeaves has a command end that leaves a child behind.
func TestParentLeaves(t *testing.T) {
	t.Parallel()
	_, err := Start(t.Context(), Config{Exec: with(as("parent that leaves"), impatient)})
	failed, ok := errors.AsType[*Error](err)
	if !ok || !strings.Contains(err.Error(), "it ended before it was ready: exit status 0") {
		t.Fatalf("got error %v", err)
	}
	if processtest.Runs(dreamerIn(t, failed.Printed)) {
		t.Error("its child still runs")
	}
}

// TestRunaway has a child leave the group, with the output in its hands. It is
// not stopped, as the documentation says, and must not be waited for.
func TestRunaway(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Exec: with(as("parent of a runaway"), printing)})
	child := dreamerIn(t, p.Printed())
	defer func() { _ = syscall.Kill(child, syscall.SIGKILL) }()
	wantStopped(t, p)
	if !processtest.Runs(child) {
		t.Error("the child does not run any more")
	}
}

// impatient has a command be killed soon.
func impatient(e *suitefile.Exec) { e.StopSeconds = 1 }

// printing has a command be ready when what a server prints has been read. A connection
// may be made before.
func printing(e *suitefile.Exec) { e.Readiness.Log = `^serving on port` }

// dreamerIn finds out from what a command has printed which process it has
// started.
func dreamerIn(t *testing.T, printed string) int {
	t.Helper()
	found := regexp.MustCompile(`dreamer (\d+)\n`).FindStringSubmatch(printed)
	if found == nil {
		t.Fatalf("it has not said whom it has started: %q", printed)
	}
	pid, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return pid
}
