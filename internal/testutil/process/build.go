package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Command names the command if there is one already; make test builds it once
// for all packages.
const Command = "GATEHOUSE_COMMAND"

// Build builds the command, as users have it, into a folder and returns its
// path; or it returns the one that the environment names. The folder stays the
// caller's. Building takes about ten seconds: a TestMain does it once.
func Build(ctx context.Context, folder string) (string, error) {
	if built := os.Getenv(Command); built != "" {
		return built, nil
	}
	binary := filepath.Join(folder, "gatehouse")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary,
		"example.com/gatehouse/cmd/gatehouse")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the command: %w\n%s", err, text)
	}
	return binary, nil
}

// Run is what TestMain runs: it builds the command, sets binary to its path,
// and runs the tests. It returns the exit status.
func Run(ctx context.Context, m *testing.M, binary *string) int {
	folder, err := os.MkdirTemp("", "gatehouse-test-")
	if err == nil {
		defer os.RemoveAll(folder)
		*binary, err = Build(ctx, folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
