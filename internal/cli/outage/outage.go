package outage

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/examine"
	"example.com/gatehouse/internal/lint"
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

  # The same as a page, with the explanation of each cell
  gatehouse outage -f config/ -o html > outage.html

  # The requests that one backend can stop
  gatehouse outage -f config/ -o json | jq '.backends[] | {name, refused: .refuses.refused}'`
)

// The values of --output of this command.
const (
	textForm = "text"
	htmlForm = "html"
)

type options struct {
	examine.Inputs
	output string
	all    bool
}

// New returns the command.
func New() *cobra.Command {
	o := options{output: textForm}
	cmd := &cobra.Command{
		Use:     "outage [-f] FILES...",
		Short:   "Say what a cluster loses while webhooks are down",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	o.AddFlags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: text, json or html")
	f.BoolVar(&o.all, "all", false, "list every request in text, not the first of each sort")
	complete.Values(cmd, "output", textForm, flags.JSON, htmlForm)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(args); err != nil {
			return &message.UsageError{Err: err}
		}
		c, err := o.Cluster(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer c.Close()
		out, err := o.encode(c)
		if err != nil {
			return err
		}
		return command.Write(cmd.OutOrStdout(), out)
	}
	return cmd
}

// encode returns the report in the format of --output.
func (o *options) encode(c *lint.Cluster) ([]byte, error) {
	switch o.output {
	case flags.JSON:
		return command.Indented(newReport(c))
	case htmlForm:
		return html(c)
	}
	return newReport(c).text(o.all), nil
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(args []string) error {
	if !slices.Contains([]string{textForm, flags.JSON, htmlForm}, o.output) {
		return fmt.Errorf("--output %q: want text, json or html", o.output)
	}
	return o.Check(args)
}
