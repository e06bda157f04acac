//go:build unix

package serve

import (
	"context"
	"os"
	"syscall"

	"example.com/gatehouse/internal/cli/command"
)

// become replaces the process by a program. It returns only errors.
func become(ctx context.Context, path string, args []string) error {
	// From here on, signals end the process, until the program handles them.
	if err := command.StopCatching(ctx); err != nil {
		return err
	}
	return syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
