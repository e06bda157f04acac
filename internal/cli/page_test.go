package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
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
	for example := range strings.SplitSeq(strings.TrimPrefix(block, "$ "), "\n$ ") {
		command, shown, _ := strings.Cut(example, "\n")
		run := strings.Replace(command, "go run ./cmd/gatehouse ", "gatehouse ", 1)
		// The examples have commands that deny, which the status says. All statuses are at
		// most 4; those of the shell begin with 126.
		err := ts.Exec("sh", "-c", "cd "+folder+" && "+run)
		if ended, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || ended.ExitCode() > 4) {
			ts.Fatalf("%s: %v", command, err)
		}
		printed, shown := withoutTimes(ts.ReadFile("stdout")), withoutTimes(shown)
		beginning, cut := strings.CutSuffix(shown, "…\n")
		if said := ts.ReadFile("stderr"); strings.HasPrefix(said, "gatehouse: ") && printed == "" {
			ts.Fatalf("%s: %s", command, said)
		}
		if shown != "" && (cut && !strings.HasPrefix(printed, beginning) || !cut && printed != shown) {
			ts.Fatalf("%s: %s shows\n%s\nand it prints\n%s", command, page, shown, printed)
		}
	}
}
