package diff

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/equivalent"
	"example.com/gatehouse/internal/cli/recorded"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/whatif"
)

// The texts of --help.
const (
	help = `Show what changes for the requests of a corpus if the webhook configurations and policies
of --after replace those of --before: which webhooks are called, in which order and round,
whether requests are allowed, with which message, and what is stored.

The command admits each request with both sets. It groups the requests that end differently by
the change of the files that is the cause: without this change, each of them ends as before. It
also lists the changes that affect no request, because the corpus may not test them.

Webhooks answer as recorded in the corpus, unless --resolve has their address. If a verdict
depends on an answer that is not recorded, it is unknown, which is a difference at every level.
If webhooks are called, the command ignores differences between two runs of the same set. See
docs/diff.md for details.

The exit status is 0 if there is no difference at the level of --fail-on or above, 1 if there
is such a difference, 2 if the command line, a set or the corpus is wrong, and 3 if gatehouse
itself failed.`

	examples = `  # What does a pull request change for the requests of last week?
  gatehouse diff --before main/config --after config corpus/

  # As a comment, and fail only if requests are allowed or denied that were not before
  gatehouse diff --before main/config --after config -o markdown --fail-on verdict corpus/

  # Is a policy equal to the webhook that it is to replace? (See gatehouse equivalent.)
  gatehouse diff --equivalent webhook.yaml policy.yaml corpus/`
)

// The values of --output of this command.
const (
	textForm     = "text"
	markdownForm = "markdown"
	sarifForm    = "sarif"
	htmlForm     = "html"
)

var forms = []string{textForm, flags.JSON, markdownForm, sarifForm, htmlForm}

type options struct {
	session       *session.Options
	before, after []string
	recorded      recorded.Flags

	failOn string
	output string
	// example is the ID of a request to explain.
	example string
	// equivalent says that the first arguments are the two sets, and search what to
	// generate for them.
	equivalent bool
	search     equivalent.Flags
	// corpus are the files and folders with the requests.
	corpus []string
}

// New returns the command.
func New() *cobra.Command {
	o := options{
		session: session.NewOptions(), recorded: recorded.Defaults(recorded.Recorded),
		failOn: string(whatif.LevelCalls), output: textForm, search: equivalent.Defaults(),
	}
	cmd := &cobra.Command{
		Use:     "diff --before CONFIGS --after CONFIGS CORPUS...",
		Short:   "Show how a change of configurations and policies affects recorded requests",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	o.addFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.equivalent {
			return o.equate(cmd, args)
		}
		o.corpus = args
		if err := o.check(cmd.Flags()); err != nil {
			return &message.UsageError{Err: err}
		}
		o.session.Stdin, o.session.Stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
		if o.example != "" {
			return o.explain(cmd)
		}
		return o.run(cmd)
	}
	return cmd
}

func (o *options) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.before, "before", nil,
		"`file` or folder with the configurations, policies, Namespaces and CRDs before; repeatable")
	f.StringArrayVar(&o.after, "after", nil,
		"`file` or folder with the same kinds of objects after; repeatable")
	f.BoolVar(&o.equivalent, "equivalent", false,
		"take the sets from the first two arguments, and also compare generated requests")
	o.search.Add(cmd)
	f.BoolVarP(&o.session.Recursive, "recursive", "R", false, flags.Recursive)
	o.recorded.Add(cmd, o.session)
	o.session.AddReachFlags(f)
	o.session.AddCallFlags(f)
	f.StringVarP(&o.output, "output", "o", o.output,
		"`format`: text, json, markdown (fits into a comment), sarif or html")
	f.StringVar(&o.failOn, "fail-on", o.failOn,
		"fail on differences at this `level`: verdict, object or calls (all)")
	f.StringVar(&o.example, "example", "", "explain the request with this `ID`, before and after")
	complete.Values(cmd, "output", forms...)
	complete.Values(cmd, "fail-on", levels()...)
}

func levels() []string {
	var all []string
	for _, l := range whatif.Levels {
		all = append(all, string(l))
	}
	return all
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(f *pflag.FlagSet) error {
	if err := o.recorded.Check(o.session); err != nil {
		return err
	}
	switch {
	case len(o.before) == 0 || len(o.after) == 0:
		return errors.New("--before and --after are required")
	case len(o.corpus) == 0:
		return errors.New("no requests: give the files or folders of a corpus as arguments")
	case slices.Contains(o.corpus, "-"):
		return errors.New("the corpus cannot be standard input, because gatehouse may read it twice")
	case !slices.Contains(forms, o.output):
		return fmt.Errorf("--output %q: want %s or %s", o.output,
			strings.Join(forms[:len(forms)-1], ", "), forms[len(forms)-1])
	case !slices.Contains(levels(), o.failOn):
		return fmt.Errorf("--fail-on %q: want verdict, object or calls", o.failOn)
	}
	for _, name := range []string{"requests", "search-time", "seed", "compare"} {
		if !o.equivalent && f.Changed(name) {
			return fmt.Errorf("--%s needs --equivalent", name)
		}
	}
	for _, name := range []string{"output", "fail-on"} {
		if o.example != "" && f.Changed(name) {
			return fmt.Errorf("--example: --%s has no effect", name)
		}
	}
	return flags.CheckStdin(slices.Concat(o.before, o.after))
}

// run compares the sets and prints the report.
func (o *options) run(cmd *cobra.Command) error {
	r, err := o.compare(cmd)
	if err != nil {
		return err
	}
	d := newDocument(r.report, whatif.Level(o.failOn))
	out, err := o.encode(cmd, r, d)
	if err != nil {
		return err
	}
	if err := command.Write(cmd.OutOrStdout(), out); err != nil {
		return err
	}
	refuse := o.recorded.Broken == recorded.Refuse
	for _, line := range r.unread {
		if !refuse {
			message.Notice(cmd.ErrOrStderr(), "skipped: %s", line)
		}
	}
	switch {
	case d.Incomplete:
		return cmd.Context().Err()
	case len(r.unread) > 0 && refuse:
		return inputError(r.unread)
	case d.Failed:
		return message.ErrDenied
	}
	return nil
}

// encode returns the document in the format of --output.
func (o *options) encode(cmd *cobra.Command, r *comparison, d *Document) ([]byte, error) {
	switch o.output {
	case flags.JSON:
		return command.Indented(d)
	case markdownForm:
		return markdownOf(d), nil
	case sarifForm:
		return sarifOf(d)
	case htmlForm:
		return html(newPage(d, r.unread, o.explaining(cmd)))
	}
	return textOf(d, command.Colors(cmd, cmd.OutOrStdout())), nil
}
