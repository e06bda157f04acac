package tutorial

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"example.com/gatehouse/test/internal/processgroup"
)

// shell is a shell that reads commands, and writes a line when it has run one.
type shell struct {
	input    io.Writer
	ended    *bufio.Reader
	outputs  string
	commands int
}

// startShell starts a shell in a folder. It ends with the test, with all that it has started.
func startShell(t *testing.T, folder string) *shell {
	t.Helper()
	// It outlives the test's context, which ends before the cleanup.
	command := exec.CommandContext(context.WithoutCancel(t.Context()), "sh")
	processgroup.Own(command)
	command.Dir = folder
	command.Env = append(os.Environ(),
		"PATH="+filepath.Dir(binary)+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"KUBECACHEDIR="+t.TempDir(), "TMPDIR="+t.TempDir(),
		// After fetchGraph, the cache of modules has all that is needed, and their sums
		// have been checked.
		"GOFLAGS=-buildvcs=false", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		processgroup.End(command)
		_ = command.Wait() // it was killed
	})
	return &shell{input: input, ended: bufio.NewReader(output), outputs: t.TempDir()}
}

// execute runs a command and returns its exit status. One in the background has none yet.
func (s *shell) execute(t *testing.T, command, output string) string {
	t.Helper()
	if _, err := fmt.Fprintf(s.input, "{\n%s\n} >%s 2>&1 </dev/null\necho $?\n", command, output); err != nil {
		t.Fatal(err)
	}
	status, err := s.ended.ReadString('\n')
	if err != nil {
		t.Fatalf("%s: the shell has ended: %v", command, err)
	}
	return strings.TrimSpace(status)
}

// run runs a command and requires that it prints what the page shows, or succeeds if the page
// shows nothing. Servers print more after their start, and a change that the page makes is in
// force a moment later: run waits for the first, and repeats commands until the second.
func (s *shell) run(t *testing.T, command, shown string) {
	t.Helper()
	s.commands++
	output := filepath.Join(s.outputs, strconv.Itoa(s.commands))
	status, read := s.execute(t, command, output), func() string {
		text, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if shown == "" {
		if status != "0" {
			t.Fatalf("%s: status %s: %s", command, status, read())
		}
		return
	}
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, patience, true,
		func(context.Context) (bool, error) {
			if matches(read(), shown) {
				return true, nil
			}
			if !strings.HasSuffix(command, "&") {
				s.execute(t, command, output)
			}
			return false, nil
		})
	if err != nil {
		t.Fatalf("%s: %v: the page shows\n%s\nand it prints\n%s", command, err, shown, read())
	}
}

// freePorts returns two ports of loopback on which nothing listens. They are below those
// that systems give to connections and to listeners without a port, which would take any of
// these before the page's programs listen.
func freePorts(t *testing.T) (first, second string) {
	t.Helper()
	for {
		first, second := 15_000+rand.IntN(15_000), 15_000+rand.IntN(15_000)
		one, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first))
		if err != nil {
			continue
		}
		two, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", second))
		_ = one.Close()
		if err == nil {
			_ = two.Close()
			return strconv.Itoa(first), strconv.Itoa(second)
		}
	}
}
