package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"

	"example.com/gatehouse/test/internal/processgroup"
)

// settings say how tests are run.
type settings struct {
	// command is go's.
	command string
	// runs is how often each package is run, and loops how many busy loops run
	// beside it.
	runs, loops int
}

// result is what the runs of a package have come to.
type result struct {
	path         string
	runs, failed int
	// tests are how often each test has failed. A failure outside tests is
	// there, too.
	tests map[string]int
}

// run builds the tests of a package and runs them. If ctx ends before, the
// result is what it had come to.
func (s *settings) run(ctx context.Context, p tested, progress io.Writer) (*result, error) {
	folder, err := os.MkdirTemp("", "flaky")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	r := &result{path: p.path, tests: map[string]int{}}
	binary := filepath.Join(folder, filepath.Base(p.folder)+".test")
	if !r.take(ctx, p.folder, progress, s.command, "test", "-c", "-vet=off", "-o", binary, ".") {
		return r, nil
	}
	r.runs = 0 // it was built
	defer busy(s.loops)()
	for r.runs < s.runs && ctx.Err() == nil {
		r.take(ctx, p.folder, progress, binary, "-test.shuffle=on", "-test.timeout=20m")
	}
	return r, nil
}

// failing is the line that names a test that has failed.
var failing = regexp.MustCompile(`(?m)^\s*--- FAIL: (.*) \(\S+\)$`)

// take runs a command and reports whether it was successful. It prints the
// output of one that was not.
func (r *result) take(
	ctx context.Context, folder string, progress io.Writer, name string, args ...string,
) bool {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = folder
	processgroup.Own(command)
	out, err := command.CombinedOutput()
	if command.Process != nil {
		processgroup.End(command)
	}
	if ctx.Err() != nil {
		return false // it was not left to its end
	}
	r.runs++
	if err == nil {
		return true
	}
	r.failed++
	_, _ = fmt.Fprintf(progress, "%s%s: %v\n", out, r.path, err)
	named := failing.FindAllSubmatch(out, -1)
	for _, match := range named {
		r.tests[string(match[1])]++
	}
	if len(named) == 0 {
		r.tests[filepath.Base(name)+": "+err.Error()]++
	}
	return false
}

// busy keeps processors busy until the function that it returns is called.
func busy(loops int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for range loops {
		running.Go(func() {
			for ctx.Err() == nil {
			}
		})
	}
	return func() { cancel(); running.Wait() }
}
