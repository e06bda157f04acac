package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/examine"
	"example.com/gatehouse/internal/lint/doctor"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/reach"
	"example.com/gatehouse/internal/offline/resolve"
)

// The texts of --help.
const (
	help = `Check for each webhook whether API servers can call it: the name that they verify, the
caBundle, the certificate in the Secret that its pods mount, the Service and its port, pods,
endpoints and the path. Each check is ok, a problem, or not known if the inputs do not have the
objects. The command never prints private keys.

With --dial doctor also connects to each webhook and verifies its certificate as an API server
does: against the name and the caBundle. Then it sends one dry run of a request that the
webhook receives, and shows the response. It connects to another machine only if --resolve
gives the address of a webhook, for example that of kubectl port-forward, or with
--connect-anywhere.

The exit status is 0 if there is no problem, 1 if there is a problem, 2 if the command line
or an input is wrong, 3 if gatehouse itself failed, and 4 if there is no problem but a webhook
was not reached.`

	examples = `  # What do the files say?
  gatehouse doctor -f config/

  # Does the webhook answer, and is its certificate right?
  kubectl -n policy port-forward service/webhook 9443:443 &
  gatehouse doctor -f config/ --dial --resolve webhook.policy.svc:443:127.0.0.1:9443`
)

// text is the default of --output.
const text = "text"

type options struct {
	examine.Inputs
	output, caFile string
	dial, anywhere bool
	resolve        []string
}

// New returns the command.
func New() *cobra.Command {
	o := options{output: text}
	cmd := &cobra.Command{
		Use:     "doctor [-f] FILES...",
		Short:   "Check whether API servers can call the webhooks: certificates, Services, endpoints",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	o.AddFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.dial, "dial", false, "connect to the webhooks, and send each a dry run")
	f.StringArrayVar(&o.resolve, "resolve", nil,
		"connect to another address, as `HOST:PORT:ADDR[:PORT]` of curl; repeatable")
	flags.Anywhere(f, &o.anywhere)
	f.StringVar(&o.caFile, "ca-file", "",
		"`file` with the CA, in PEM, of webhooks that have no caBundle")
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: text or json")
	complete.Values(cmd, "output", text, flags.JSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(f, args); err != nil {
			return &message.UsageError{Err: err}
		}
		return o.run(cmd.Context(), cmd)
	}
	return cmd
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(f *pflag.FlagSet, args []string) error {
	if o.output != text && o.output != flags.JSON {
		return fmt.Errorf("--output %q: want text or json", o.output)
	}
	for _, name := range []string{"resolve", "connect-anywhere", "ca-file"} {
		if f.Changed(name) && !o.dial {
			return fmt.Errorf("--%s needs --dial", name)
		}
	}
	return o.Check(args)
}

// access returns how the webhooks are reached.
func (o *options) access() (reach.Access, error) {
	routes, err := flags.Routes(o.resolve)
	if err != nil {
		return reach.Access{}, &message.UsageError{Err: err}
	}
	ca, err := flags.CA(o.caFile)
	if err != nil {
		return reach.Access{}, &message.InputError{Err: err}
	}
	return reach.Flags(&resolve.Dialer{Routes: routes, Anywhere: o.anywhere}, ca), nil
}

func (o *options) run(ctx context.Context, cmd *cobra.Command) error {
	access, err := o.access()
	if err != nil {
		return err
	}
	c, err := o.Cluster(ctx, cmd)
	if err != nil {
		return err
	}
	defer c.Close()
	if len(c.Webhooks) == 0 {
		return &message.InputError{Err: errors.New("the inputs have no webhook")}
	}
	all, err := doctor.Examine(c)
	if err != nil {
		return err
	}
	reached := true
	if o.dial {
		if reached, err = dial(ctx, c, access, all); err != nil {
			return err
		}
	}
	r := newReport(all)
	if o.output == flags.JSON {
		err = command.WriteJSON(cmd.OutOrStdout(), r)
	} else {
		err = command.Write(cmd.OutOrStdout(), r.text())
	}
	switch {
	case err != nil:
		return err
	case r.Problems > 0:
		return message.ErrDenied
	case !reached:
		return message.ErrNotReached
	}
	return nil
}
