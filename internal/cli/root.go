package cli

import (
	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/conformance"
	"example.com/gatehouse/internal/cli/demo"
	"example.com/gatehouse/internal/cli/explain"
	"example.com/gatehouse/internal/cli/faults"
	"example.com/gatehouse/internal/cli/review"
	"example.com/gatehouse/internal/cli/run"
	"example.com/gatehouse/internal/cli/serve"
	"example.com/gatehouse/internal/cli/test"
	"example.com/gatehouse/internal/cli/validate"
)

// New returns the command with all its commands.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:   "gatehouse",
		Short: "Admission webhooks as kube-apiserver calls them, without a cluster",
		Long: `gatehouse admits objects through admission webhooks as kube-apiserver does,
without a cluster, and shows which webhooks were called and what they did.`,
		Example: `  # See what it does, in one screen
  gatehouse demo

  # Admit the objects of a file through the webhooks of a configuration
  gatehouse run -f webhooks.yaml deployment.yaml

  # Explain why each webhook was or was not called, and who wrote what
  gatehouse explain -f webhooks.yaml deployment.yaml

  # Run suites of tests: requests with their expected results
  gatehouse test

  # Find defects of the webhooks themselves
  gatehouse conformance -f webhooks.yaml

  # Run an API server that calls them, for kubectl
  gatehouse serve -f webhooks.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(run.New(), explain.New(), review.New(), validate.New(), test.New(),
		conformance.New(), faults.New(), demo.New(), serve.New(), newVersion())
	for _, c := range root.Commands() {
		c.Flags().SortFlags = false
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
}
