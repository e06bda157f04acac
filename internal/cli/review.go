package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
)

// What --help says of review.
const (
	reviewHelp = `Print the AdmissionReview that a webhook would receive for each object, and call no
webhook at all. Inputs, and flags that are about requests, are those of 'gatehouse run'.

Since nobody is called, nobody changes the objects: a webhook that comes after others
is shown what they would be shown. Only conversion webhooks of
CustomResourceDefinitions are called, if an object is needed in another version.

--webhook names one webhook, as WEBHOOK or CONFIGURATION/WEBHOOK. It may be left out
if there is only one. Two of one name, in configurations of one name but of different
phases, each have their review.

The exit status is 0 if the webhook would be called for every object, 1 if it would
not for some, with the reason on standard error, 2 if the command line or the input
is wrong or an object in it cannot be converted, and 3 if gatehouse itself failed.`

	reviewExamples = `  # Ask a webhook on this machine by hand
  gatehouse review -f webhooks.yaml --webhook policy.example.com pod.yaml |
    curl --insecure --json @- https://127.0.0.1:8443/validate

  # See what an update looks like
  gatehouse review -f webhooks.yaml --old stored.yaml pod.yaml -o yaml`
)

// The further values of --output for review.
const outputRaw = "raw"

func newReview() *cobra.Command {
	o := defaultOptions()
	o.output = outputJSON
	var webhook string
	cmd := &cobra.Command{
		Use:     "review [-f CONFIGS]... --webhook NAME OBJECTS...",
		Short:   "Print what a webhook would be sent, without calling it",
		Long:    reviewHelp,
		Example: reviewExamples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&webhook, "webhook", "", "`name` of the webhook, or CONFIGURATION/NAME")
	o.addClusterFlags(f)
	o.asking.addFlags(f)
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: json, yaml, or raw (the very bytes that are sent)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misused(cmd, errors.New("nothing to review: give files, folders or - as arguments"))
		}
		form, ok := reviewForms()[o.output]
		if !ok {
			return misused(cmd, fmt.Errorf("--output %q: want json, yaml or raw", o.output))
		}
		o.objects = args
		if err := o.check(); err != nil {
			return misused(cmd, err)
		}
		o.stdin, o.stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
		return review(cmd.Context(), &o, webhook, form, cmd.OutOrStdout())
	}
	return cmd
}

// reviewForm returns a review as it is printed. first says that nothing was printed
// before it.
type reviewForm func(body []byte, first bool) ([]byte, error)

func reviewForms() map[string]reviewForm {
	return map[string]reviewForm{
		outputRaw: func(body []byte, _ bool) ([]byte, error) { return body, nil },
		outputJSON: func(body []byte, _ bool) ([]byte, error) {
			var text bytes.Buffer
			err := json.Indent(&text, body, "", "  ")
			return text.Bytes(), err
		},
		outputYAML: func(body []byte, first bool) ([]byte, error) {
			text, err := yaml.JSONToYAML(body)
			if !first {
				text = append([]byte("---\n"), text...)
			}
			return text, err
		},
	}
}

// review prints what a webhook would be sent.
func review(ctx context.Context, o *options, webhook string, form reviewForm, stdout io.Writer) error {
	caught := &catcher{}
	o.instead = caught.client()
	s, err := prepare(o)
	if s != nil {
		defer s.close()
	}
	if err != nil {
		return err
	}
	wanted, err := oneHook(webhook, s.webhooks)
	if err != nil {
		return &inputError{err}
	}
	missed, printed := false, 0
	err = s.admit(ctx, func(v *visit) error {
		bodies := caught.take(wanted)
		if len(bodies) == 0 {
			missed = true
			notice(o.stderr, "%s is not called for %s: %s", wanted, reference(v.request, v.response), whyNot(v.response, wanted))
		}
		for _, body := range bodies {
			text, err := form(body, printed == 0)
			if err != nil {
				return fmt.Errorf("printing the review of %s: %w", reference(v.request, v.response), err)
			}
			printed++
			if err := write(stdout, text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.authority.tell(o.stderr)
	if missed {
		return errDenied
	}
	return nil
}

// whyNot says why a webhook was not called for a request.
func whyNot(r *admission.Response, wanted hook) string {
	for i := range r.Matches {
		if m := &r.Matches[i]; hookOf(m.Webhook) == wanted && !m.Matched() {
			return reason(m)
		}
	}
	if r.Status != nil {
		return r.Status.Message
	}
	return "the request did not get that far"
}
