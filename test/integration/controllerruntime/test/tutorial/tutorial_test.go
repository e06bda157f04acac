package tutorial

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// fences are the blocks of the page. The line before may name the file that a block is.
	fences = regexp.MustCompile("(?ms)(?:^([^\n]*)\n\n)?^```(\\w+)\n(.*?)^```$")
	fileIn = regexp.MustCompile("`([^`]+)`:$")
	times  = regexp.MustCompile(`\([0-9.]+s\)`)
)

// TestTutorial writes the files of the tutorial and runs its commands, in an empty folder:
// the first test passes, and the second finds what the page says.
func TestTutorial(t *testing.T) {
	text, err := os.ReadFile("../../../../../docs/tutorials/kubebuilder.md")
	if err != nil {
		t.Fatal(err)
	}
	repository, err := filepath.Abs("../../../../..")
	if err != nil {
		t.Fatal(err)
	}
	fetchGraph(t, repository)
	fetchGraph(t, "../..") // which has controller-runtime
	page := strings.ReplaceAll(string(text), "../gatehouse", repository)
	first, second, found := strings.Cut(page, "## A test that finds something")
	if !found {
		t.Fatal("the page has other parts")
	}
	folder := t.TempDir()
	if commands, err := follow(t, folder, first); err != nil || commands < 4 {
		t.Errorf("the first test: %d commands, %v", commands, err)
	}
	if _, err := follow(t, folder, second); err == nil {
		t.Error("the second test passes")
	}
}

// follow writes the files of a part of the page, runs its commands, and looks for the lines
// that the page shows. It returns their number, and how the last of them ended.
func follow(t *testing.T, folder, part string) (commands int, err error) {
	t.Helper()
	for _, block := range fences.FindAllStringSubmatch(part, -1) {
		file := fileIn.FindStringSubmatch(block[1])
		switch {
		case block[2] == "console":
			for example := range strings.SplitSeq(strings.TrimPrefix(block[3], "$ "), "\n$ ") {
				commands++
				err = run(t, folder, example)
			}
		case file != nil:
			write(t, filepath.Join(folder, file[1]), block[3])
		}
	}
	return commands, err
}

// run runs a command that has no quotes, and looks for the lines that the page shows.
func run(t *testing.T, folder, example string) error {
	t.Helper()
	command, shown, _ := strings.Cut(strings.TrimSpace(example), "\n")
	words := strings.Fields(command)
	c := exec.CommandContext(t.Context(), words[0], words[1:]...)
	c.Dir = folder
	// After fetchGraph, the cache of modules has all that is needed, and their sums have
	// been checked.
	c.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	out, err := c.CombinedOutput()
	for line := range strings.Lines(times.ReplaceAllString(shown, "(T)")) {
		if !strings.Contains(times.ReplaceAllString(string(out), "(T)"), strings.TrimSpace(line)) {
			t.Errorf("%s does not print %q:\n%s", command, line, out)
		}
	}
	if err != nil && shown == "" {
		t.Errorf("%s: %v: %s", command, err, out)
	}
	return err
}

// fetchGraph fetches the go.mod files of all modules that a module depends on, if the cache
// lacks them. go get reads them, and the builds before it do not.
func fetchGraph(t *testing.T, module string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", "list", "-m", "all")
	c.Dir = module
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", c, err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
