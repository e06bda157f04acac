package review

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// The texts of --help.
const (
	help = `Print the AdmissionReview that a webhook would receive for each object, without
calling it. Inputs, and the flags of requests, are those of 'gatehouse run'.

No admission webhook is called, so the review does not contain the changes of earlier
webhooks. The conversion webhooks of CustomResourceDefinitions are called, as in 'gatehouse
run', if an object is needed in another version.

--webhook is optional if there is only one. Two webhooks with the same name, in
configurations with the same name but of different phases, each have their review.

The exit status is 0 if the webhook would be called for every object, 1 if it would
not be called for an object, with the reason on standard error, 2 if the command line or
the input is wrong, 3 if gatehouse itself failed, and 4 if a conversion webhook was not
reached.`

	examples = `  # Send a review to a local webhook with curl
  gatehouse review -f webhooks.yaml --webhook policy.example.com pod.yaml |
    curl --insecure --json @- https://127.0.0.1:8443/validate

  # Show the review of an update
  gatehouse review -f webhooks.yaml --old stored.yaml pod.yaml -o yaml`
)

// New returns the command.
func New() *cobra.Command {
	o := session.NewOptions()
	var webhook string
	format := flags.JSON
	cmd := &cobra.Command{
		Use:     "review [-f CONFIGS]... --webhook NAME OBJECTS...",
		Short:   "Print the review that a webhook would receive, without calling it",
		Long:    help,
		Example: examples,
		Args:    command.Inputs("review"),
	}
	f := cmd.Flags()
	f.StringVar(&webhook, "webhook", "", "`name` of the webhook, or CONFIGURATION/NAME")
	o.AddClusterFlags(f)
	o.AddRequestFlags(f)
	f.StringVarP(&format, "output", "o", format,
		"`format`: json, yaml or raw (the very bytes that are sent)")
	complete.Requests(cmd)
	complete.Webhooks(cmd, "webhook", &o.Configs)
	complete.Values(cmd, "output", slices.Sorted(maps.Keys(forms()))...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		form, ok := forms()[format]
		if !ok {
			return &message.UsageError{Err: fmt.Errorf("--output %q: want json, yaml or raw", format)}
		}
		o.Objects, o.Stdin, o.Stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		return review(cmd.Context(), o, webhook, &printer{out: cmd.OutOrStdout(), form: form})
	}
	return cmd
}

// review prints the reviews that a webhook would receive.
func review(ctx context.Context, o *session.Options, webhook string, out *printer) error {
	caught := &recorder{}
	o.Client = session.AllowAll(caught.record)
	s, err := session.Prepare(o)
	if err != nil {
		return err
	}
	defer s.Close()
	wanted, err := s.Webhook(webhook)
	if err != nil {
		return &message.InputError{Err: fmt.Errorf("--webhook: %w", err)}
	}
	missed := false
	err = s.Admit(ctx, func(v *session.Result) error {
		bodies := caught.take(wanted)
		if len(bodies) == 0 {
			missed = true
			message.Notice(o.Stderr, "%s is not called for %s: %s", wanted, v.Reference(), whyNot(v, wanted))
		}
		return out.print(v, bodies)
	})
	if err != nil {
		return err
	}
	s.PrintRemarks()
	if missed {
		return message.ErrDenied
	}
	return nil
}

// whyNot returns why a webhook was not called for a request.
func whyNot(v *session.Result, wanted session.WebhookName) string {
	if why := output.WhyNot(v, wanted); why != "" {
		return why
	}
	if s := v.Response.Status; s != nil {
		return s.Message
	}
	return "the request ended before"
}
