package serve

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/serve/options"
	"example.com/gatehouse/internal/message"
)

// server is the name of the program that is the API server.
const server = "gatehouse-apiserver"

// New returns the command.
func New() *cobra.Command {
	return options.Command(func(cmd *cobra.Command, _ *options.Options) error {
		if err := run(cmd.Context(), arguments(cmd.Flags())); err != nil {
			return &message.InputError{Err: err}
		}
		return nil
	})
}

// run runs the server in place of this process.
func run(ctx context.Context, args []string) error {
	path, err := find()
	if err != nil {
		return err
	}
	if err := become(ctx, path, args); err != nil {
		return fmt.Errorf("running %s: %w", path, err)
	}
	return nil
}

// find returns the path of the server.
func find() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("looking for %s: %w", server, err)
	}
	// Links may lead from a folder of the PATH to where both programs are.
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", fmt.Errorf("looking for %s: %w", server, err)
	}
	path, err := lookUp(filepath.Dir(self))
	if err != nil {
		return "", err
	}
	// A script that starts the server has no version.
	if theirs, err := buildinfo.ReadFile(path); err == nil {
		ours, _ := debug.ReadBuildInfo()
		return path, checkVersions(path, command.Version(theirs), command.Version(ours))
	}
	return path, nil
}

// lookUp returns the path of the server in a folder, or else in the PATH.
func lookUp(folder string) (string, error) {
	if path, err := exec.LookPath(filepath.Join(folder, server)); err == nil {
		return path, nil
	}
	path, err := exec.LookPath(server)
	if err != nil {
		return "", fmt.Errorf("the API server is the program %[1]s, which is neither beside gatehouse, "+
			"in %[2]s, nor in the PATH; in a clone of gatehouse, 'make build' builds both into bin, and "+
			"'go run ./cmd/%[1]s' runs it with the same flags", server, folder)
	}
	return path, nil
}

// checkVersions returns an error if the server is not of the version of
// gatehouse: it may lack flags, or mean others by them.
func checkVersions(path, theirs, ours string) error {
	if theirs == ours {
		return nil
	}
	return fmt.Errorf("%s has the version %s, and gatehouse has %s: install the same version of both",
		path, theirs, ours)
}

// arguments returns the flags that the user has set.
func arguments(f *pflag.FlagSet) []string {
	var args []string
	f.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			args = append(args, "--"+f.Name+"="+value)
		}
	})
	return args
}
