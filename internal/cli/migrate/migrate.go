package migrate

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// The texts of --help.
const (
	help = `Print a skeleton of an admission policy, and a binding, for each webhook of webhook
configurations: a ValidatingAdmissionPolicy for a validating webhook, and a
MutatingAdmissionPolicy for a mutating one.

A skeleton matches the requests that the webhook receives: it has its rules, selectors,
matchPolicy, matchConditions, failurePolicy and reinvocationPolicy. Its validation admits
everything and its mutation changes nothing, because a configuration does not say what a
webhook does: write them. Comments list what differs between the policy and the webhook.

Inputs are YAML or JSON files, folders with such files, or "-" for standard input.
Documents of other kinds are skipped, but a path without any webhook configuration is an
error. If a document is not valid, the command prints no policy.

The exit status is 0 if the skeletons were printed, 2 if the command line or an input is
wrong, and 3 if gatehouse itself failed.`

	examples = `  # Write skeletons, fill them in, and check them
  gatehouse migrate -f webhooks.yaml > policies.yaml
  gatehouse validate -f policies.yaml

  # Check that they apply where the webhooks are called
  gatehouse explain -f webhooks.yaml -f policies.yaml deployment.yaml

  # List the differences
  gatehouse migrate -f webhooks.yaml -o json | jq '.items[] | {webhook, losses}'`
)

// options are the flags of the command.
type options struct {
	files  flags.Files
	output string
	stdin  io.Reader
	// stderr receives notices.
	stderr io.Writer
}

// New returns the command.
func New() *cobra.Command {
	o := options{output: flags.YAML}
	cmd := &cobra.Command{
		Use:     "migrate [-f] FILES...",
		Short:   "Print policies that match the requests of webhooks",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	o.files.Add(f, "`file` or folder with webhook configurations, or -; repeatable")
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: yaml or json")
	complete.Values(cmd, "output", flags.YAML, flags.JSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(args); err != nil {
			return &message.UsageError{Err: err}
		}
		o.stdin, o.stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
		items, err := o.read()
		if err != nil {
			return &message.InputError{Err: err}
		}
		write := writeYAML
		if o.output == flags.JSON {
			write = writeJSON
		}
		return write(cmd.OutOrStdout(), items)
	}
	return cmd
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(args []string) error {
	if o.output != flags.YAML && o.output != flags.JSON {
		return fmt.Errorf("--output %q: want yaml or json", o.output)
	}
	return o.files.Take(args, "migrate")
}

// read returns the items of all webhooks, in the order of the inputs. The error has
// all problems of the inputs.
func (o *options) read() ([]*Item, error) {
	reader := &manifest.Reader{Stdin: o.stdin, Recursive: o.files.Recursive}
	in := &inputs{taken: names{}, first: map[identity]first{}}
	for _, path := range o.files.Paths {
		found := false
		for d, err := range reader.Files([]string{path}) {
			found = found || err != nil || webhookconfig.Is(d.Kind)
			if err != nil {
				in.problems = append(in.problems, err)
			} else if webhookconfig.Is(d.Kind) {
				in.add(d)
			}
		}
		if !found {
			in.problems = append(in.problems, unusable(path, reader))
		}
	}
	if err := errors.Join(in.problems...); err != nil {
		return nil, err
	}
	for _, unread := range reader.Unread(o.files.Paths) {
		message.Notice(o.stderr, "%s", unread)
	}
	return in.items, nil
}

// unusable is the error of a path that has no configuration.
func unusable(path string, reader *manifest.Reader) error {
	text := manifest.FileName(path) + ": holds no webhook configuration"
	if unread := reader.UnreadIn(path); unread != "" {
		text += "; " + unread
	}
	return errors.New(text)
}
