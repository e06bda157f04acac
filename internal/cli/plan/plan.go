package plan

import (
	"fmt"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// textFormat is the value of --output of this command.
const textFormat = "text"

// The texts of --help.
const (
	help = `Show which webhooks an API server would call for a request, in which order and rounds,
with their timeoutSeconds and failurePolicy, and why it would not call the others. Inputs, and
the flags of requests, are those of 'gatehouse run'.

The command calls no admission webhook. It assumes that every webhook allows the request and
changes nothing: after a change other webhooks may match, and the API server may call some
again, which the plan names. The API server makes calls with the same ORDER at the same time.

With --inject, a local server answers in place of a webhook, and the plan shows what its
fault does to the request. The conversion webhooks of CustomResourceDefinitions are called
if an object is needed in another version.

The exit status is 0 if all requests would be admitted, 1 if a fault or the API server
itself would deny a request, 2 if the command line or the input is wrong, 3 if gatehouse itself
failed, and 4 if a conversion webhook was not reached.`

	examples = `  # Which webhooks does a cluster call for this pod?
  gatehouse plan -f webhooks/ pod.yaml

  # What if all of them are down? If only those of one configuration are?
  gatehouse plan -f webhooks/ --inject '*=down' pod.yaml
  gatehouse plan -f webhooks/ --inject 'istio-*/*=down' pod.yaml

  # Which ones does it call for a deletion?
  gatehouse plan -f webhooks/ --operation DELETE pod.yaml`
)

// New returns the command.
func New() *cobra.Command {
	o, format := session.NewOptions(), textFormat
	cmd := &cobra.Command{
		Use:     "plan [-f CONFIGS]... [OBJECTS]...",
		Short:   "Show which webhooks an API server would call for requests, without calling them",
		Long:    help,
		Example: examples,
		Args:    command.Objects("plan"),
	}
	f := cmd.Flags()
	o.AddClusterFlags(f)
	o.AddRequestFlags(f)
	o.AddInjectFlag(f)
	f.StringVarP(&format, "output", "o", format, "`format`: text, json or yaml")
	complete.Requests(cmd)
	complete.Faults(cmd, "inject", &o.Configs)
	complete.Values(cmd, "output", textFormat, flags.JSON, flags.YAML)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if format != textFormat && format != flags.JSON && format != flags.YAML {
			return &message.UsageError{Err: fmt.Errorf("--output %q: want text, json or yaml", format)}
		}
		o.Client = session.AllowAll(func(*admission.Webhook, []byte) {})
		o.Objects, o.Stdin, o.Stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		s, err := session.Prepare(o)
		if err != nil {
			return err
		}
		defer s.Close()
		return output.Show(cmd.Context(), s, printer(cmd, format, s.All()))
	}
	return cmd
}

// printer returns the printer for a format.
func printer(cmd *cobra.Command, format string, webhooks []*admission.Webhook) output.Printer {
	out := cmd.OutOrStdout()
	if format == textFormat {
		return &text{out: out, colors: command.Colors(cmd, out), webhooks: webhooks}
	}
	item := func(v *session.Result) Item { return itemOf(v, webhooks) }
	return output.Collect(item, func(items []Item) error {
		p := &Plan{
			TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: Kind},
			Items:    append([]Item{}, items...),
		}
		encode := command.Indented
		if format == flags.YAML {
			encode = command.YAML
		}
		encoded, err := encode(p)
		if err != nil {
			return fmt.Errorf("printing the plan: %w", err)
		}
		return command.Write(out, encoded)
	})
}
