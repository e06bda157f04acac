package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/testutil/processtest"
)

// startLimit is how long a server may take until it is ready, or has ended. It
// takes about a second on a machine that has nothing else to do.
const startLimit = 5 * time.Minute

// Process is a running `gatehouse serve`.
type Process struct {
	// Kubeconfig is the file that leads to it, in a folder that has nothing
	// else.
	Kubeconfig string
	// Temporary is its folder for temporary files.
	Temporary string

	command *exec.Cmd
	printed printed
}

// printed is what a process has printed, on both of its streams. It can be read
// while the process still prints.
type printed struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// Start starts `serve` of a binary with further arguments. At the end of the
// test it is killed, unless Stop has stopped it.
func Start(tb testing.TB, binary string, args ...string) *Process {
	tb.Helper()
	return StartBy(tb, []string{binary}, args...)
}

// StartBy is Start with a command before the arguments, such as one that changes the
// environment of the binary.
func StartBy(tb testing.TB, command []string, args ...string) *Process {
	tb.Helper()
	processtest.AllowInterrupts()
	p := &Process{Kubeconfig: filepath.Join(tb.TempDir(), "kubeconfig"), Temporary: tb.TempDir()}
	args = slices.Concat(command[1:], []string{"serve", "--write-kubeconfig", p.Kubeconfig}, args)
	// It outlives the test's context, or Stop could not see how it ends.
	p.command = exec.CommandContext(context.WithoutCancel(tb.Context()), command[0], args...)
	p.command.Stdout, p.command.Stderr = &p.printed, &p.printed
	p.command.Env = append(os.Environ(), "TMPDIR="+p.Temporary)
	if err := p.command.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if p.command.ProcessState == nil {
			_ = p.command.Process.Kill()
			_ = p.command.Wait()
		}
	})
	return p
}

// Config returns how the server is reached, when it is ready. It is the
// caller's.
func (p *Process) Config(tb testing.TB) *rest.Config {
	tb.Helper()
	err := wait.PollUntilContextTimeout(tb.Context(), time.Millisecond, startLimit, true,
		func(context.Context) (bool, error) {
			_, err := os.Stat(p.Kubeconfig)
			return err == nil, nil
		})
	if err != nil {
		p.Signal(tb, syscall.SIGQUIT) // prints what all goroutines wait for
		status := p.Wait(tb)
		tb.Fatalf("there is no kubeconfig: %v; the exit status is %d, and the command said %s",
			err, status, p.Printed())
	}
	config, err := clientcmd.BuildConfigFromFlags("", p.Kubeconfig)
	if err != nil {
		tb.Fatal(err)
	}
	return config
}

// Printed returns what the process has printed so far, on both of its streams.
func (p *Process) Printed() string { return p.printed.String() }

// ID returns the number of the process.
func (p *Process) ID() int { return p.command.Process.Pid }

// Stop sends SIGTERM and returns the exit status.
func (p *Process) Stop(tb testing.TB) int {
	tb.Helper()
	p.Signal(tb, syscall.SIGTERM)
	return p.Wait(tb)
}

// Signal sends a signal to the process, which must not have ended.
func (p *Process) Signal(tb testing.TB, signal syscall.Signal) {
	tb.Helper()
	if err := p.command.Process.Signal(signal); err != nil {
		tb.Fatal(err)
	}
}

// Wait waits until the process has ended and returns its exit status as a shell
// does: 130 after SIGINT. It fails the test if the process does not end.
func (p *Process) Wait(tb testing.TB) int {
	tb.Helper()
	tooLate := time.AfterFunc(startLimit, func() { _ = p.command.Process.Kill() })
	_ = p.command.Wait() // what is wrong is in the exit status
	if !tooLate.Stop() {
		tb.Fatalf("it has not ended after %s: %s", startLimit, p.Printed())
	}
	if status := p.command.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal())
	}
	return p.command.ProcessState.ExitCode()
}
