package process

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build builds the command, as users have it, into a folder and returns its path.
// The folder stays the caller's. It takes about ten seconds: a TestMain does it once.
func Build(ctx context.Context, folder string) (string, error) {
	binary := filepath.Join(folder, "gatehouse")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "example.com/gatehouse/cmd/gatehouse")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the command: %w\n%s", err, text)
	}
	return binary, nil
}
