// Command aggregated-apiserver serves toy robots: an aggregated API server that
// calls admission webhooks with gatehouse. README.md describes how to run it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	apiadmission "k8s.io/apiserver/pkg/admission"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/cli"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/examples/aggregated-apiserver/server"
)

func main() {
	// The first SIGINT or SIGTERM ends the context, the second one the process.
	command, err := newCommand(genericapiserver.SetupSignalContext())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(cli.Run(command)) // adds the flags for logs, and prints errors
}

// newCommand returns the command, which serves until ctx ends.
func newCommand(ctx context.Context) (*cobra.Command, error) {
	options, err := server.NewOptions(func(plugins *apiadmission.Plugins) { plugin.Register(plugins) })
	if err != nil {
		return nil, err
	}
	command := &cobra.Command{
		Use:   "aggregated-apiserver",
		Short: "Serve toys.example.com, with gatehouse as the admission webhook phase.",
		Args:  cobra.NoArgs,
		RunE:  func(command *cobra.Command, _ []string) error { return options.Run(command.Context()) },
	}
	command.SetContext(ctx)
	options.AddFlags(command.Flags())
	return command, nil
}
