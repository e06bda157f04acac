package serve_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/process"
)

// TestKubectlWatch: kubectl receives each change, and the end of the server.
func TestKubectlWatch(t *testing.T) {
	eachKubectl(t, func(t *testing.T, path string) {
		s := process.Start(t, binary, "--quiet")
		s.Config(t)
		home := t.TempDir()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		kubectl := func(args string) *exec.Cmd {
			command := exec.CommandContext(ctx, path, strings.Fields(args)...)
			command.Env = append(os.Environ(), "KUBECONFIG="+s.Kubeconfig, "HOME="+home)
			return command
		}
		do := func(args string) {
			t.Helper()
			if text, err := kubectl(args).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", args, err, text)
			}
		}
		do("create configmap first")
		watch := kubectl("get configmaps --watch --output-watch-events --no-headers")
		rows := startReading(t, watch)
		rows.want("ADDED first 0")
		do("patch configmap first --type=merge --patch {\"data\":{\"a\":\"b\"}}")
		rows.want("MODIFIED first 1")
		do("create configmap second")
		rows.want("ADDED second 0")
		do("delete configmap first")
		rows.want("DELETED first 1")
		if status := s.Stop(t); status != 0 {
			t.Errorf("exit status %d: %s", status, s.Printed())
		}
		rows.wantEnd()
		if err := watch.Wait(); err != nil {
			t.Errorf("kubectl has ended with %v", err)
		}
	})
}

// reader reads what a command prints while it still runs.
type reader struct {
	t     *testing.T
	lines *bufio.Scanner
}

// startReading starts a command that prints a table. The test has to wait for
// its end.
func startReading(t *testing.T, command *exec.Cmd) reader {
	t.Helper()
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return reader{t, bufio.NewScanner(out)}
}

// want reads the next row, whose last column is an age.
func (r reader) want(row string) {
	r.t.Helper()
	if !r.lines.Scan() {
		r.t.Fatalf("there is no more to read (%v), want %q", r.lines.Err(), row)
	}
	fields := strings.Fields(r.lines.Text())
	if got := strings.Join(fields[:max(len(fields)-1, 0)], " "); got != row {
		r.t.Errorf("got %q, want %q", r.lines.Text(), row)
	}
}

func (r reader) wantEnd() {
	r.t.Helper()
	if r.lines.Scan() {
		r.t.Errorf("there is more: %q", r.lines.Text())
	}
}
