package corpus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// The texts of --help.
const (
	help = `Count the requests of a corpus by their source, operation and resource, and name each
broken line: one that is not an entry, is cut off, or has a request that cannot be read.

With --from, make a corpus instead: from the AdmissionReviews in the log of a webhook, from
requests as 'gatehouse run' takes them, or from suites as 'gatehouse test' takes them. The
command adds the entries to the folder of --to, in a new file. It calls no webhook, and leaves
out the values of Secrets and of --redact (docs/corpus.md).

The exit status is 0 if all was read, 1 if a line is broken or has an AdmissionReview that
cannot be read, 2 if the command line or the input is wrong or the input has no request, and 3
if gatehouse itself failed.`

	examples = `  # See what a corpus contains
  gatehouse corpus corpus/

  # Keep the requests that a webhook has logged
  kubectl logs -n webhooks deploy/policy | gatehouse corpus --from log --to corpus/ -

  # Make a corpus from suites, without the environment of containers
  gatehouse corpus --from suites --to corpus/ --redact 'spec.containers[*].env' tests/`
)

// The values of --from.
const (
	fromLog      = "log"
	fromRequests = "requests"
	fromSuites   = "suites"
)

// invocation is the command with its flags.
type invocation struct {
	*session.Options
	from, to  string
	recording flags.Recording
}

// New returns the command.
func New() *cobra.Command {
	i := &invocation{Options: session.NewOptions()}
	cmd := &cobra.Command{
		Use:     "corpus [--from KIND --to FOLDER] PATHS...",
		Short:   "Check a corpus of recorded requests, or make one",
		Long:    help,
		Example: examples,
		Args:    i.inputs,
	}
	f := cmd.Flags()
	f.StringVar(&i.from, "from", "", "make a corpus from files of this `kind`: log, requests or suites")
	f.StringVar(&i.to, "to", "", "add the requests to the corpus in this `folder`")
	i.recording.AddRedact(f)
	i.AddClusterFlags(f)
	i.AddRequestFlags(f)
	complete.Requests(cmd)
	complete.Values(cmd, "from", fromLog, fromRequests, fromSuites)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := i.check(f); err != nil {
			return &message.UsageError{Err: err}
		}
		i.Objects, i.Stdin, i.Stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		if i.from == "" {
			return checkCorpus(args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		}
		return i.makeCorpus(cmd)
	}
	return cmd
}

// inputs returns a mistake in the arguments. A corpus is not read from standard input.
func (i *invocation) inputs(cmd *cobra.Command, args []string) error {
	switch {
	case i.from != "":
		return command.Inputs("read")(cmd, args)
	case len(args) == 0:
		return errors.New("nothing to read: give the files or folders of a corpus as arguments")
	case slices.Contains(args, "-"):
		return errors.New("a corpus cannot be standard input: give its files or folders, " +
			"or --from and --to to make one")
	}
	return nil
}

// check returns a mistake in the flags.
func (i *invocation) check(f *pflag.FlagSet) error {
	made := []string{"from", "to", "redact", "color"}
	var unheeded string
	switch i.from {
	case "":
		if unheeded = otherThan(f, "color"); unheeded != "" {
			return fmt.Errorf("--%s needs --from", unheeded)
		}
		return nil
	case fromLog:
		unheeded = otherThan(f, append(made, "filename", "recursive")...)
	case fromSuites:
		unheeded = otherThan(f, made...)
	case fromRequests:
	default:
		return fmt.Errorf("--from %q: want log, requests or suites", i.from)
	}
	switch {
	case unheeded != "":
		return fmt.Errorf("--from %s: --%s has no effect", i.from, unheeded)
	case i.to == "":
		return errors.New("--from needs --to, the folder of the corpus")
	}
	return i.recording.Check(f)
}

// otherThan returns the name of a flag that is set beside those with the names;
// "" if none is.
func otherThan(f *pflag.FlagSet, names ...string) (other string) {
	f.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(names, flag.Name) {
			other = flag.Name
		}
	})
	return other
}
