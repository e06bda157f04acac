//go:build unix

package serve

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// become replaces the process by a program. It returns only errors.
func become(ctx context.Context, path string, args []string) error {
	// From here on, signals end the process, until the program handles them.
	signal.Reset()
	if err := ctx.Err(); err != nil {
		return err
	}
	return syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
