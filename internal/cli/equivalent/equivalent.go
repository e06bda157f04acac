package equivalent

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/equivalence"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// The texts of --help.
const (
	help = `Look for a request that two sides answer differently: a webhook and the policy that is to
replace it, or two versions of a policy or of a configuration.

Each side has the files after -f and its own. The command first compares the requests of the
arguments, and then requests that it generates: valid objects of the kinds that a rule matches,
with values near the constants and fields that conditions, expressions and selectors mention.
It calls webhooks as gatehouse run does, with thousands of requests: do not use webhooks with
side effects.

If the sides answer a request differently, the command shrinks the request and prints it as a
file for gatehouse run -f. Otherwise the sides are equal for the compared requests, which is not
a proof. docs/equivalence.md says how the command generates requests.

The exit status is 0 if no difference was found, 1 if a difference was found or a side
answers a request differently when it is sent again, 2 if the command line or an input is wrong,
3 if gatehouse itself failed, and 4 if a webhook was not reached.`

	examples = `  # Compare a webhook with the policy that is to replace it
  gatehouse equivalent --before webhook.yaml --after policy.yaml \
    --resolve images.hooks.svc:443:127.0.0.1:8443 --ca-file ca.crt

  # Keep the request that shows the difference, and see what each side does
  gatehouse equivalent --before old.yaml --after new.yaml -f crds/ > different.yaml
  gatehouse explain -f crds/ -f new.yaml -f different.yaml

  # Search longer, with other requests, and compare warnings and messages too
  gatehouse equivalent --before old.yaml --after new.yaml --search-time 5m --requests 1000000 \
    --seed 7 --compare object,message,warnings`
)

// New returns the command.
func New() *cobra.Command {
	own := Defaults()
	var before, after []string
	o := session.NewOptions()
	cmd := &cobra.Command{
		Use:     "equivalent --before FILES --after FILES [-f FILES]... [OBJECTS]...",
		Short:   "Look for a request that two sides answer differently",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	f.StringArrayVar(&before, "before", nil, "`file` or folder of the first side; repeatable")
	f.StringArrayVar(&after, "after", nil, "`file` or folder of the second side; repeatable")
	own.Add(cmd)
	f.StringVarP(&own.Output, "output", "o", own.Output, "`format`: text or json")
	complete.Values(cmd, "output", Text, flags.JSON)
	o.AddClusterFlags(f)
	o.AddCallFlags(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := own.Check()
		if err == nil && (len(before) == 0 || len(after) == 0) {
			err = errors.New("--before and --after are required")
		}
		if err == nil {
			err = flags.CheckStdin(slices.Concat(o.Configs, o.Configs, before, after, args))
		}
		if err != nil {
			return &message.UsageError{Err: err}
		}
		first := sideOf(o, "before", before)
		first.Options.Objects = args
		first.Options.Stdin, first.Options.Stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
		second := sideOf(o, "after", after)
		second.Options.Stdin, second.Options.Stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
		return own.Run(cmd, first, second)
	}
	return cmd
}

// sideOf returns a side with the common options and files of its own.
func sideOf(common *session.Options, name string, files []string) equivalence.Side {
	o := *common
	o.Configs = slices.Concat(common.Configs, files)
	return equivalence.Side{Name: name, Options: &o}
}
