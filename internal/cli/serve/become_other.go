//go:build !unix

package serve

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"example.com/gatehouse/internal/cli/command"
)

// become runs a program and ends the process with its exit status. It returns
// only errors. An interrupt from the console reaches the program as well.
func become(ctx context.Context, path string, args []string) error {
	command.Draining(ctx)
	program := exec.Command(path, args...)
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := program.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	os.Exit(program.ProcessState.ExitCode())
	return nil
}
