package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Command names the command if there is one already, with gatehouse-apiserver
// beside it; make test builds both once for all packages.
const Command = "GATEHOUSE_COMMAND"

// Build builds the command, as users have it, into a folder and returns its
// path; or it returns the one that the environment names. The folder stays the
// caller's. Building takes about ten seconds: a TestMain does it once. Only
// `gatehouse serve` does not work: see Run.
func Build(ctx context.Context, folder string) (string, error) {
	return build(ctx, folder, "gatehouse")
}

func build(ctx context.Context, folder string, programs ...string) (string, error) {
	if built := os.Getenv(Command); built != "" {
		return built, nil
	}
	args := []string{"build", "-o", folder}
	for _, program := range programs {
		args = append(args, "example.com/gatehouse/cmd/"+program)
	}
	if text, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the command: %w\n%s", err, text)
	}
	return filepath.Join(folder, "gatehouse"), nil
}

// Run is what TestMain runs: it builds the command, and the server that its
// `serve` starts, sets binary to the path of the command, and runs the tests. It
// returns the exit status.
func Run(ctx context.Context, m *testing.M, binary *string) int {
	folder, err := os.MkdirTemp("", "gatehouse-test-")
	if err == nil {
		defer os.RemoveAll(folder)
		*binary, err = build(ctx, folder, "gatehouse", "gatehouse-apiserver")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
