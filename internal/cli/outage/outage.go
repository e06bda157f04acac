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
	help = `Show what happens to the requests that a cluster depends on while webhooks are down:
requests of kubelets, the control plane, add-ons and users. Each backend (the service or host
that serves webhooks) first refuses connections and then hangs, alone and in pairs. A request
passes, passes after a delay, passes without the change of a mutating webhook, or is refused:
the API server rejects it.

gatehouse simulates every request with the order, timeouts, failure policies and reinvocations
of an API server, in virtual time. It calls no webhook.

Then all backends are down at once. A backend comes up when the API server accepts the requests
that its pods need. The output shows backends that wait for each other, and the fewest
exclusions that let all of them start. This needs the Services and Deployments of the webhooks
among the inputs; without them, gatehouse assumes that the pods have no labels.

The exit status is 0 if the result was printed, whatever it is, 2 if the command line or an
input is wrong, and 3 if gatehouse itself failed.`

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
		Short:   "Show which requests of a cluster fail while webhooks are down",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	o.AddFlags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: text, json or html")
	f.BoolVar(&o.all, "all", false, "list all requests in text, not only the first of each kind")
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
