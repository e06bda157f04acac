package outage

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/examine"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// The texts of --help.
const (
	help = `Say what happens to the requests that a cluster lives on while webhooks are down: what
kubelets, the control plane, add-ons and users send. Each backend, the service or host that
answers for webhooks, refuses connections and then hangs, alone and in pairs. A request
passes, passes after a delay, passes without the change of a mutating webhook, or is refused.

The engine runs every request, with the order, timeouts, failure policies and second rounds
of an API server, in virtual time. Nothing is called.

Then all backends are down at once, and each comes up when the requests that its pods need
are not refused. Those that wait for each other are shown, with the fewest exclusions that
free them. Give the Services and Deployments of the webhooks for that, too; without them,
the pods are assumed to have no labels.

The exit status is 0, whatever the result; 2 if the command line or an input is wrong, and 3
if gatehouse itself failed.`

	examples = `  # What do our webhooks endanger?
  gatehouse outage -f config/

  # The requests that one backend can stop
  gatehouse outage -f config/ -o json | jq '.backends[] | {name, refused: .refuses.refused}'`
)

// text is the default of --output.
const text = "text"

type options struct {
	examine.Inputs
	output string
	all    bool
}

// New returns the command.
func New() *cobra.Command {
	o := options{output: text}
	cmd := &cobra.Command{
		Use:     "outage [-f] FILES...",
		Short:   "Say what a cluster loses while webhooks are down",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	o.AddFlags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: text or json")
	f.BoolVar(&o.all, "all", false, "list every request in text, not the first of each sort")
	complete.Values(cmd, "output", text, flags.JSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(args); err != nil {
			return &message.UsageError{Err: err}
		}
		c, err := o.Cluster(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer c.Close()
		report := newReport(c)
		if o.output == flags.JSON {
			return command.WriteJSON(cmd.OutOrStdout(), report)
		}
		return command.Write(cmd.OutOrStdout(), report.text(o.all))
	}
	return cmd
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(args []string) error {
	if o.output != text && o.output != flags.JSON {
		return fmt.Errorf("--output %q: want text or json", o.output)
	}
	return o.Check(args)
}
