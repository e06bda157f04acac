package process

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/processtest"
)

// TestKilled kills the process that started a command, which cannot stop it
// then.
func TestKilled(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Exec: with(as("gatehouse"), func(e *suitefile.Exec) { e.Readiness.Log = `^dreamer \d+$` })})
	child := dreamerIn(t, p.Printed())
	if !processtest.Runs(child) {
		t.Error("there is no command that could be left behind")
	}
	if err := p.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, p)
}

// wantEnd waits for the end of a program that is killed, and of its command.
func wantEnd(t *testing.T, p *Process) {
	t.Helper()
	<-p.ended
	child := dreamerIn(t, p.Printed())
	for deadline := time.Now().Add(time.Minute); processtest.Runs(child); time.Sleep(shortestPause) {
		if time.Now().After(deadline) {
			t.Fatal("the command still runs")
		}
	}
	// The killed process could not remove it.
	_ = os.RemoveAll(folderIn(t, p.Printed()))
}

// TestTwoPrograms has two programs with the same command line, each of which
// starts the same command. ^C ends one of them, and its command only.
func TestTwoPrograms(t *testing.T) {
	t.Parallel()
	processtest.AllowInterrupts()
	program := with(as("gatehouse"), func(e *suitefile.Exec) { e.Readiness.Log = `^dreamer \d+$` })
	a, b := start(t, Config{Exec: program}), start(t, Config{Exec: program})
	port := regexp.MustCompile(`serving on port \d+`)
	if folderIn(t, a.Printed()) == folderIn(t, b.Printed()) ||
		port.FindString(a.Printed()) == port.FindString(b.Printed()) {
		t.Errorf("they share a folder or a port: %q, %q", a.Printed(), b.Printed())
	}
	if err := (group{a.command.Process}).signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, a)
	if !processtest.Runs(dreamerIn(t, b.Printed())) {
		t.Error("the command of the other program has ended")
	}
	if err := b.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, b)
}

// TestDead looks at a group whose only process has ended, and is kept by us, as
// it would be by a first process that does not care for orphans.
func TestDead(t *testing.T) {
	t.Parallel()
	command := exec.Command("cat")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	g := group{command.Process}
	if !g.runs() || g.ended() {
		t.Error("no process runs before the end")
	}
	_ = in.Close()
	if !isEmpty(g, time.Now().Add(time.Minute)) || !g.ended() {
		t.Error("a process runs after the end")
	}
	if err := g.signal(0); err != nil {
		t.Errorf("it does not have its number any more: %v", err)
	}
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	if !g.ended() {
		t.Error("it runs after it has been asked how it ended")
	}
}

// TestMemory: a command with a child has more memory than either of the two.
func TestMemory(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Exec: with(as("parent"), impatient)})
	defer wantStopped(t, p)
	all, err := p.Memory()
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	own := residentPages(stat) * int64(os.Getpagesize())
	if own < 1<<20 || all < own+1<<20 {
		t.Errorf("the command has %d bytes of %d, want at least a megabyte for it and for its child", own, all)
	}
}
