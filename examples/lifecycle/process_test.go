package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/processtest"
	"example.com/gatehouse/test/conformance"
)

// wrapper serves as the child of a shell, and writes the processes and the signal to
// a file.
const wrapper = `trap 'echo ending >> "$1"' TERM
"$0" ` + role + ` -lag "$2" & child=$!
echo "started $$$$ $child" >> "$1"
wait $child
wait $child`

// wrapped is a subject whose command is a shell script, with the program, a file
// and a lag as its arguments.
func wrapped(t *testing.T, script, lag string, only ...string) (s conformance.Subject, file string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "processes")
	return conformance.Subject{
		Files: []string{"../webhooks/webhooks.yaml"}, Samples: []string{"../webhooks/samples"},
		Only: only, Log: t.Output(),
		Exec: &conformance.Exec{
			Command: []string{"sh", "-c", script, self, file, lag}, Timeout: 20 * time.Second,
		},
	}, file
}

// TestInterrupted ends a run in the middle: none of its processes is left, children
// included.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, r := range []struct {
		// event has happened this many times when the run is ended.
		event string
		times int
		only  string
	}{
		{"started", 1, "C-UID"},
		{"started", 2, "C-START"},
		{"started", 3, "C-ROLL"},
		{"ending", 1, "C-DRAIN"},
		{"ending", 1, "C-KEEPALIVE"},
		{"ending", 1, "C-ROLL"},
	} {
		t.Run(fmt.Sprintf("%s when %d %s", r.only, r.times, r.event), func(t *testing.T) {
			t.Parallel()
			s, file := wrapped(t, wrapper, "2s", r.only)
			ctx, interrupt := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				_, err := conformance.Run(ctx, s)
				ended <- err
			}()
			for strings.Count(written(t, file), r.event) < r.times {
				select {
				case err := <-ended:
					t.Fatalf("it ended by itself: %v", err)
				case <-time.After(10 * time.Millisecond):
				}
			}
			interrupt()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("got error %v", err)
			}
			wantNoProcess(t, file)
		})
	}
}

// TestDeaf: a process that goes on after SIGTERM is killed, and not said to drain.
func TestDeaf(t *testing.T) {
	t.Parallel()
	s, file := wrapped(t, wrapper, "1h", "C-DRAIN")
	expectOne(t, s, conformance.Skip, "the webhook still accepts connections 8s after SIGTERM")
	wantNoProcess(t, file)
}

// TestChatter: what a process prints is read and dropped.
func TestChatter(t *testing.T) {
	t.Parallel()
	s, _ := wrapped(t, `head -c 4000000 /dev/zero | tr '\0' y
exec "$0" `+role, "", "C-START")
	expectOne(t, s, conformance.Pass, "")
}

// expectOne requires this verdict of the only check, with a text.
func expectOne(t *testing.T, s conformance.Subject, want conformance.Verdict, text string) {
	t.Helper()
	r, err := conformance.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	got := r.VerdictOf(s.Only[0])
	if printed := strings.TrimSpace(r.Text(s.Only[0])); got != want || printed != text {
		t.Errorf("got %s and %q, want %s and %q", got, printed, want, text)
	}
}

// written returns what the processes have written so far.
func written(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// wantNoProcess requires all processes that were started to have ended.
func wantNoProcess(t *testing.T, file string) {
	t.Helper()
	for line := range strings.Lines(written(t, file)) {
		var shell, child int
		if _, err := fmt.Sscanf(line, "started %d %d", &shell, &child); err != nil {
			continue // another event
		}
		if processtest.Runs(shell) || processtest.Runs(child) {
			t.Errorf("a process is left of %d and %d", shell, child)
		}
	}
}
