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
	// files are the files that the tutorial shows, each with its name on the line before.
	files = regexp.MustCompile("(?ms)`([^`\n]+)`:\n\n```(?:go|yaml)\n(.*?)^```$")
	// consoles are its commands, with lines of what they print.
	consoles = regexp.MustCompile("(?ms)^```console\n\\$ go ([^\n]*)\n(.*?)^```$")
	times    = regexp.MustCompile(`\([0-9.]+s\)`)
)

// TestTutorial writes the files of the tutorial and runs its commands: the first test passes,
// and the second finds what the page says.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile("../../../../../docs/tutorials/kubebuilder.md")
	if err != nil {
		t.Fatal(err)
	}
	// A folder of the module, so that its go.mod stands for that of the tutorial.
	folder, err := os.MkdirTemp(".", "pods-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	first, second, found := strings.Cut(string(page), "## A test that finds something")
	if !found {
		t.Fatal("the page has other parts")
	}
	if err := follow(t, folder, first); err != nil {
		t.Errorf("the first test: %v", err)
	}
	if err := follow(t, folder, second); err == nil {
		t.Error("the second test passes")
	}
}

// follow writes the files of a part of the page, runs its command, and looks for the lines
// that the page shows. It returns how the command ended.
func follow(t *testing.T, folder, part string) error {
	t.Helper()
	for _, file := range files.FindAllStringSubmatch(part, -1) {
		path := filepath.Join(folder, file[1])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	console := consoles.FindStringSubmatch(part)
	if console == nil {
		t.Fatal("the part has no command")
	}
	run := exec.CommandContext(t.Context(), "go", strings.Fields(console[1])...)
	run.Dir = folder
	out, err := run.CombinedOutput()
	for line := range strings.Lines(times.ReplaceAllString(console[2], "(T)")) {
		if !strings.Contains(times.ReplaceAllString(string(out), "(T)"), strings.TrimSpace(line)) {
			t.Errorf("it does not print %q:\n%s", line, out)
		}
	}
	return err
}
