package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/gatehouse/internal/testutil/testtable"
)

var (
	consoles = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	// fences are the blocks of a tutorial. The line before may name the file that a block is.
	fences = regexp.MustCompile("(?ms)(?:^([^\n]*)\n\n)?^```(\\w+)\n(.*?)^```$")
	fileIn = regexp.MustCompile("`([^`]+)`:$")
)

// page runs the console examples of a page of docs, the first in the folder 1, the
// second in the folder 2, and so on.
func page(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: page NAME.md")
	}
	for i, block := range examples(ts, args[0]) {
		runExamples(ts, args[0], ts.MkAbs(strconv.Itoa(i+1)), block)
	}
}

// readme runs the console examples of the README in the folder of the repository, with
// what Go needs of the environment. go test neither vets the code, for which it would
// analyze all dependencies, nor links debug information: make test does neither.
func readme(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: readme")
	}
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); name == "HOME" || strings.HasPrefix(name, "GO") {
			ts.Setenv(name, value)
		}
	}
	ts.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -vet=off '-ldflags=-w -s'")
	repository, err := filepath.Abs("../..")
	ts.Check(err)
	for _, block := range examples(ts, "../README.md") {
		runExamples(ts, "README.md", repository, block)
	}
}

// examples returns the console blocks of a page.
func examples(ts *testscript.TestScript, name string) []string {
	var blocks []string
	for _, block := range consoles.FindAllStringSubmatch(readPage(ts, name), -1) {
		blocks = append(blocks, block[1])
	}
	if len(blocks) == 0 {
		ts.Fatalf("%s has no examples", name)
	}
	return blocks
}

// tutorial follows a tutorial in an empty folder: it writes the files that the tutorial
// shows, and runs its console examples, in the order of the page.
func tutorial(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tutorial NAME.md")
	}
	name := "tutorials/" + args[0]
	for _, block := range fences.FindAllStringSubmatch(readPage(ts, name), -1) {
		file := fileIn.FindStringSubmatch(block[1])
		switch {
		case block[2] == "console":
			runExamples(ts, name, ts.MkAbs("."), block[3])
		case file != nil:
			ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(file[1])), 0o700))
			ts.Check(os.WriteFile(ts.MkAbs(file[1]), []byte(block[3]), 0o600))
		}
	}
}

func readPage(ts *testscript.TestScript, name string) string {
	text, err := os.ReadFile(filepath.Join("../../docs", name))
	ts.Check(err)
	return string(text)
}

// runExamples runs the commands of a block. What the page shows has to be all that a
// command prints on standard output, or the beginning of it before a line with …, but for
// times and ports. A command without output on the page may print anything.
func runExamples(ts *testscript.TestScript, page, folder, block string) {
	examples := strings.Split(strings.TrimPrefix(block, "$ "), "\n$ ")
	status := 0
	for i, example := range examples {
		command, shown, _ := strings.Cut(example, "\n")
		if shown != "" && !strings.HasSuffix(shown, "\n") {
			shown += "\n" // the newline before the next command
		}
		run := strings.Replace(command, "go run ./cmd/gatehouse ", "gatehouse ", 1)
		err := ts.Exec("sh", "-c", fmt.Sprintf("cd %s || exit; (exit %d); %s", folder, status, run))
		var ok bool
		if status, ok = exitStatus(err); !ok || !mayEnd(status, shown, examples[i+1:]) {
			ts.Fatalf("%s: %v, which %s does not show: %s", command, err, page, ts.ReadFile("stderr"))
		}
		printed, shown := withoutTimes(ts.ReadFile("stdout")), withoutTimes(shown)
		beginning, cut := strings.CutSuffix(shown, "…\n")
		if shown != "" && (cut && !strings.HasPrefix(printed, beginning) || !cut && printed != shown) {
			ts.Fatalf("%s: %s shows\n%s\nand it prints\n%s", command, page, shown, printed)
		}
	}
}

// exitStatus returns the exit status of a command; false if it has none.
func exitStatus(err error) (status int, ok bool) {
	if err == nil {
		return 0, true
	}
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode(), ended.Exited()
	}
	return 0, false
}

// mayEnd reports whether a command on a page may end with a status. It is not 0 only if the
// page shows what the command prints, or shows the status with echo $? as the next command.
// All intended statuses are at most 4; those of the shell begin with 126.
func mayEnd(status int, shown string, next []string) bool {
	isShown := shown != "" || len(next) > 0 && strings.HasPrefix(next[0], "echo $?\n")
	return status == 0 || status <= 4 && isShown
}

// TestMayEnd: a page does not hide that a command fails.
func TestMayEnd(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		status int
		shown  string
		next   []string
		want   bool
	}
	testtable.Run(t, []test{
		{row{"success", "the command may be silent"}, 0, "", nil, true},
		{row{"silent failure", "the reader does not expect it"}, 2, "", []string{"ls\na\n"}, false},
		{row{"shown output", "a command that denies says so"}, 1, "denied\n", nil, true},
		{row{"shown status", "the output is in a file"}, 1, "", []string{"echo $?\n1\n"}, true},
		{row{"status without a value", "the reader does not see it"}, 1, "", []string{"echo $?"}, false},
		{row{"shell", "the command does not exist"}, 127, "a\n", []string{"echo $?\n127\n"}, false},
	}, func(t *testing.T, tc test) {
		if got := mayEnd(tc.status, tc.shown, tc.next); got != tc.want {
			t.Errorf("%s: got %v", tc.Why(), got)
		}
	})
}
