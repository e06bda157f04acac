//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/processgroup"
)

type row = testtable.Row

// fake returns a command that is called like go, and runs a script.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "go")
	// A file that is open for writing cannot be started. A process that another
	// test forks now would inherit this one, and keep it open until it runs its
	// own program.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// listing is the fake go's list of packages: one, with one target.
func listing(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	text := "package p\n\nfunc FuzzA(f *testing.F) {}\nfunc Fuzzy() {}\nfunc (x) FuzzB() {}\n"
	if err := os.WriteFile(filepath.Join(folder, "p_test.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return `if [ "$1" = list ]; then
  echo '{"Dir":"` + folder + `","ImportPath":"example.org/m/p","Module":{"Path":"example.org/m"},"TestGoFiles":["p_test.go"]}'
  exit
fi
`
}

type runCase struct {
	row
	// script is what go test does.
	script string
	// table is the last two lines of the table, and said the output before it.
	table, said string
	err         string
}

func TestExecute(t *testing.T) {
	t.Parallel()
	const (
		first = "echo 'fuzz: elapsed: 0s, gathering baseline coverage: 0/9 completed'\n"
		last  = "echo 'fuzz: elapsed: 6s, execs: 8057 (1667/sec), new interesting: 16 (total: 45)'\n"
	)
	testtable.Run(t, []runCase{{
		row:    row{"nothing found", "what most runs come to"},
		script: first + last + "echo PASS",
		table:  "p.FuzzA 8057 16 none\n1 targets 8057 16 0\n", said: "1 of 1: p.FuzzA\nPASS\n",
	}, {
		row:    row{"found", "the developer needs the failing input"},
		script: last + "echo '--- FAIL: FuzzA (1.02s)'\necho '    Failing input written to testdata/fuzz/FuzzA/12ab'\nexit 1",
		table:  "p.FuzzA 8057 16 testdata/fuzz/FuzzA/12ab\n1 targets 8057 16 1\n",
		said:   "1 of 1: p.FuzzA\n--- FAIL: FuzzA (1.02s)\n    Failing input written to testdata/fuzz/FuzzA/12ab\n",
		err:    "1 of 1 targets have a finding",
	}, {
		row:    row{"broken", "a target that does not compile has not passed"},
		script: "echo './a_test.go:1: undefined: b' >&2\nexit 2",
		table:  "p.FuzzA 0 0 go test: exit status 2\n1 targets 0 0 1\n", said: "1 of 1: p.FuzzA\n./a_test.go:1: undefined: b\n",
		err: "1 of 1 targets have a finding",
	}, {
		row:    row{"nothing done", "a target that has not been begun has not passed silently"},
		script: first + "echo PASS",
		table:  "p.FuzzA 0 0 none; the time was up with the seeds\n1 targets 0 0 0\n", said: "1 of 1: p.FuzzA\nPASS\n",
	}, {
		row:    row{"arguments", "they are what bounds a run"},
		script: last + `echo "$@"`,
		table:  "p.FuzzA 8057 16 none\n1 targets 8057 16 0\n",
		said:   "1 of 1: p.FuzzA\ntest -vet=off -run=^$ -fuzz=^FuzzA$ -fuzztime=7x -fuzzminimizetime=100x -parallel=3 example.org/m/p\n",
	}}, func(t *testing.T, tc runCase) {
		var out, said bytes.Buffer
		err := execute(t.Context(), []string{"-go=" + fake(t, listing(t)+tc.script), "-time=7x", "-parallel=3"}, &out, &said)
		if testtable.Text(err) != tc.err {
			t.Errorf("error %v, want %s", err, tc.err)
		}
		_, table, _ := strings.Cut(squeezed(out.String()), "\n")
		if table != tc.table || said.String() != tc.said {
			t.Errorf("table\n%s\nwant\n%s\nsaid\n%s\nwant\n%s", table, tc.table, said.String(), tc.said)
		}
	})
}

// squeezed has one blank between words.
func squeezed(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " ")+"\n")
	}
	return strings.Join(lines, "")
}

type argumentCase struct {
	row
	arguments string
	out, err  string
}

func TestArguments(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []argumentCase{
		{row{"list", "-list prints the targets"}, "-list", "p.FuzzA\n", ""},
		{row{"some", "-targets selects the targets to run"}, "-list -targets=p.FuzzA$", "p.FuzzA\n", ""},
		{row{"none", "a mistake in a pattern is not a run without findings"}, "-targets=FuzzB", "", "-targets selects no target"},
		{row{"bad pattern", "nor is this"}, "-targets=(", "", "-targets: error parsing regexp: missing closing ): `(`"},
		{row{"argument", "flags that follow would be ignored"}, "FuzzA -list", "", `unknown argument "FuzzA"`},
		{row{"help", "it is no error"}, "-help", "", ""},
	}, func(t *testing.T, tc argumentCase) {
		var out bytes.Buffer
		arguments := append([]string{"-go=" + fake(t, listing(t))}, strings.Fields(tc.arguments)...)
		err := execute(t.Context(), arguments, &out, &bytes.Buffer{})
		if testtable.Text(err) != tc.err || out.String() != tc.out {
			t.Errorf("got %q and error %v, want %q and %s", out.String(), err, tc.out, tc.err)
		}
	})
}

// TestInterrupt interrupts a run during a target: the target and its child
// processes get the signal, and the result has the progress.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	// A shell that starts with SIGINT ignored cannot trap it. The signal is not
	// ignored if the parent process listens for it, as main does.
	listening, stop := signal.NotifyContext(t.Context(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithCancel(listening)
	defer cancel()
	// A shell that waits looks at signals at once. One that runs something
	// waits for that, which may have begun just too late to get the signal
	// itself.
	script := `trap 'echo "fuzz: elapsed: 1s, execs: 5 (5/sec), new interesting: 1 (total: 1)"; exit 1' INT
sleep 600 >/dev/null 2>&1 &
echo started
wait
`
	var out bytes.Buffer
	said := &telling{about: "started", tell: cancel}
	begin := time.Now()
	err := execute(ctx, []string{"-go=" + fake(t, listing(t)+script)}, &out, said)
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v, want %v", err, errInterrupted)
	}
	if want := "p.FuzzA 5 1 none\n"; !strings.Contains(squeezed(out.String()), want) {
		t.Errorf("%q lacks %q", squeezed(out.String()), want)
	}
	if waited := time.Since(begin); waited > 2*processgroup.Patience {
		t.Errorf("it took %v", waited)
	}
}

// TestLeftBehind: processes that outlive the target are killed. The one here
// ignores interrupts and does not hold the pipe that the runner reads.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	alive := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	// A process that has the FIFO open for writing keeps its reader from EOF.
	script := "exec 9>" + alive + "\nsh -c 'trap \"\" INT; echo begun; exec sleep 600' >&9 2>&1 &\nexec 9>&-\necho PASS\n"
	read := make(chan string, 1)
	go func() {
		text, err := os.ReadFile(alive)
		read <- fmt.Sprint(string(text), err)
	}()
	if err := execute(t.Context(), []string{"-go=" + fake(t, listing(t)+script)}, &bytes.Buffer{}, &bytes.Buffer{}); err != nil {
		t.Error(err)
	}
	select {
	case got := <-read:
		if got != "begun\n<nil>" && got != "<nil>" { // it may not have come to that
			t.Errorf("got %q", got)
		}
	case <-time.After(processgroup.Patience):
		t.Error("a process is left behind")
	}
}

// telling signals the test on the first write.
type telling struct {
	about string
	tell  func()
}

func (w *telling) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.about) {
		w.tell()
	}
	return len(p), nil
}
