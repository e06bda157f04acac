package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
)

// The release whose behaviour gatehouse reproduces, and its library.
const (
	serverVersion    = "v1.37"
	apiserverVersion = "v0.37.2"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of gatehouse and of the simulated kube-apiserver",
		Long: `Print the version and the commit of gatehouse, and the versions of kube-apiserver and of
k8s.io/apiserver whose behaviour gatehouse reproduces.

The exit status is 0 if the version is printed, 2 if the command line is wrong, and 3 if
gatehouse itself failed.`,
		Example: "  gatehouse version",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.Write(cmd.OutOrStdout(), []byte(versions()))
		},
	}
}

// versions returns the version of the command and of what it simulates.
func versions() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("gatehouse %s%s\nbehaves as kube-apiserver %s (k8s.io/apiserver %s)\n",
		command.Version(info), commit(info), serverVersion, apiserverVersion)
}

// commit returns the commit that the go command recorded in the program, in parentheses, or
// nothing.
func commit(info *debug.BuildInfo) string {
	settings := map[string]string{}
	if info != nil {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	revision, modified := settings["vcs.revision"], ""
	if revision == "" {
		return ""
	}
	if settings["vcs.modified"] == "true" {
		modified = ", modified"
	}
	return " (commit " + revision + modified + ")"
}
