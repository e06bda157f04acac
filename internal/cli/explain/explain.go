package explain

import (
	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// New returns the command.
func New() *cobra.Command {
	o, v := session.NewOptions(), newView()
	o.Trace = true
	cmd := &cobra.Command{
		Use:     "explain [-f CONFIGS]... [OBJECTS]...",
		Short:   "Explain why webhooks were or were not called, and who wrote each field",
		Long:    help,
		Example: examples,
		Args:    command.Objects("explain"),
	}
	f := cmd.Flags()
	o.AddClusterFlags(f)
	o.AddRequestFlags(f)
	o.AddCallFlags(f)
	v.addFlags(f)
	complete.Requests(cmd)
	complete.Faults(cmd, "inject", &o.Configs)
	complete.Webhooks(cmd, "webhook", &o.Configs)
	complete.Fields(cmd, "field")
	complete.Fields(cmd, "redact")
	complete.Values(cmd, "output", tree, flags.JSON, flags.YAML, html)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := v.parse(); err != nil {
			return &message.UsageError{Err: err}
		}
		o.Objects, o.Stdin, o.Stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		s, err := session.Prepare(o)
		if err != nil {
			return err
		}
		defer s.Close()
		if err := v.check(s); err != nil {
			return &message.InputError{Err: err}
		}
		stdout := cmd.OutOrStdout()
		return output.Show(cmd.Context(), s,
			v.printer(command.Colors(cmd, stdout), stdout, cmd.ErrOrStderr()))
	}
	return cmd
}
