package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/examine"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/rules"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// The texts of --help.
const (
	help = `Find webhook configurations and policies that endanger a cluster, or do not do what their
authors want.

Most findings have a witness: a request that a cluster depends on, such as the renewal of a
node's lease, that fails or waits while a webhook is down. gatehouse has run this request, so
the finding reports what would happen in a cluster. Other findings have evidence, such as an
expired certificate. docs/lint.md has all rules.

Give everything that is deployed: configurations, policies, Namespaces, Services,
EndpointSlices, Deployments, Secrets with certificates, RBAC and CustomResourceDefinitions. A
rule is skipped if its objects are not among the inputs. Private keys are not printed.

A comment above a line or at its end silences a finding: # gatehouse:ignore RULE: REASON. So does an
annotation of the object: lint.gatehouse/RULE: REASON. The reason is printed.

The exit status is 0 if there are no findings or --fix printed the changes, 1 if there are
findings at --level or above, 2 if the command line or an input is wrong, and 3 if gatehouse
itself failed.`

	examples = `  # Check what is deployed
  gatehouse lint -f config/

  # Print the request that proves a finding, and see it fail
  gatehouse lint -f config/ --witness blocks-own-pods/validating/CONFIG/WEBHOOK > witness.yaml
  gatehouse run -f config/ --inject '*=allow' --inject CONFIG/WEBHOOK=refuse witness.yaml

  # Fix what can be fixed without knowing what the webhooks do
  gatehouse lint -f config/ --fix
  gatehouse lint -f config/ --fix --write

  # A page to read and to send
  gatehouse lint -f config/ -o html > findings.html

  # In CI
  gatehouse lint -f config/ -o github`
)

// The values of --output of this command.
const (
	textForm   = "text"
	sarifForm  = "sarif"
	junitForm  = "junit"
	githubForm = "github"
	htmlForm   = "html"
)

type options struct {
	examine.Inputs
	output  string
	level   string
	only    []string
	witness string
	list    bool
	// fix prints the changes that fix findings, and write makes them.
	fix, write bool
	// rules are those of only.
	rules []*lint.Rule
}

// New returns the command.
func New() *cobra.Command {
	o := options{output: textForm, level: string(lint.Warning)}
	cmd := &cobra.Command{
		Use:     "lint [-f] FILES...",
		Short:   "Find settings that endanger a cluster, with requests that prove it",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	o.AddFlags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", o.output,
		"`format`: text, json, html, sarif, junit or github (text with annotations for GitHub)")
	f.StringVar(&o.level, "level", o.level,
		"report findings of this `level` or worse: error, warning or info")
	f.StringSliceVar(&o.only, "only", nil, "check only these `rules`, separated by commas")
	f.StringVar(&o.witness, "witness", "",
		"print the request that proves the finding with this `ID`, for gatehouse run")
	f.BoolVar(&o.fix, "fix", false,
		"print the changes to files that fix findings of --level or worse, as a unified diff")
	f.BoolVar(&o.write, "write", false, "with --fix: change the files")
	f.BoolVar(&o.list, "list", false, "list the rules, and exit")
	complete.Values(cmd, "output", textForm, flags.JSON, htmlForm, sarifForm, junitForm, githubForm)
	complete.Values(cmd, "level", string(lint.Error), string(lint.Warning), string(lint.Info))
	complete.Values(cmd, "only", described()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(args); err != nil {
			return &message.UsageError{Err: err}
		}
		if o.list {
			return command.Write(cmd.OutOrStdout(), list(o.rules))
		}
		return o.run(cmd)
	}
	return cmd
}

// described returns the IDs of the rules with their titles, for completion.
func described() []string {
	var all []string
	for _, r := range rules.All() {
		all = append(all, r.ID+"\t"+r.Title)
	}
	return all
}

func ids() []string {
	var all []string
	for _, r := range rules.All() {
		all = append(all, r.ID)
	}
	return all
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(args []string) error {
	switch o.output {
	case textForm, flags.JSON, htmlForm, sarifForm, junitForm, githubForm:
	default:
		return fmt.Errorf("--output %q: want text, json, html, sarif, junit or github", o.output)
	}
	if !slices.Contains([]lint.Level{lint.Error, lint.Warning, lint.Info}, lint.Level(o.level)) {
		return fmt.Errorf("--level %q: want error, warning or info", o.level)
	}
	if err := o.checkModes(); err != nil {
		return err
	}
	if err := o.choose(); err != nil {
		return err
	}
	if o.list {
		return nil
	}
	return o.Check(args)
}

// checkModes rejects flags that ask for several outputs.
func (o *options) checkModes() error {
	var modes []string
	for _, m := range []struct {
		flag string
		set  bool
	}{
		{"--list", o.list}, {"--fix", o.fix}, {"--witness", o.witness != ""},
		{"--output " + o.output, o.output != textForm},
	} {
		if m.set {
			modes = append(modes, m.flag)
		}
	}
	switch {
	case len(modes) > 1:
		return fmt.Errorf("%s and %s cannot be combined", modes[0], modes[1])
	case o.write && !o.fix:
		return errors.New("--write needs --fix")
	}
	return nil
}

// choose finds the rules of --only.
func (o *options) choose() error {
	all := rules.All()
	if len(o.only) == 0 {
		o.rules = all
		return nil
	}
	for _, r := range all {
		if slices.Contains(o.only, r.ID) {
			o.rules = append(o.rules, r)
		}
	}
	known := ids()
	for _, id := range o.only {
		if !slices.Contains(known, id) {
			err := fmt.Errorf("--only %q: there is no such rule", id)
			if hint := message.DidYouMean(id, known); hint != "" {
				err = fmt.Errorf("%w: %s", err, hint)
			}
			return err
		}
	}
	return nil
}

// run runs the rules and prints their findings.
func (o *options) run(cmd *cobra.Command) error {
	c, err := o.Cluster(cmd.Context(), cmd)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := checkSilences(c); err != nil {
		return &message.InputError{Err: err}
	}
	found, err := lint.Run(c, o.rules)
	if err != nil {
		return err
	}
	switch {
	case o.witness != "":
		return o.writeWitness(cmd, c, found)
	case o.fix:
		return o.fixFiles(cmd, c, found)
	}
	for _, s := range found.Unused {
		message.Notice(cmd.ErrOrStderr(), "%s: silences %s, but there is no such finding", s.Position, s.Rule)
	}
	r := newReport(found, lint.Level(o.level))
	var out []byte
	if o.output == htmlForm {
		out, err = o.html(c, found)
	} else {
		out, err = o.encode(r, command.Colors(cmd, cmd.OutOrStdout()))
	}
	if err == nil {
		err = command.Write(cmd.OutOrStdout(), out)
	}
	if err == nil && r.failed() {
		err = message.ErrDenied
	}
	return err
}

// checkSilences returns what is wrong with the annotations and comments that silence
// findings, one line for each.
func checkSilences(c *lint.Cluster) error {
	var problems []error
	for _, s := range lint.SilencesOf(c.Inventory) {
		problems = append(problems, s.Check(ids()))
	}
	return errors.Join(problems...)
}

// encode returns the report in the format of --output.
func (o *options) encode(r *Report, colors command.Palette) ([]byte, error) {
	switch o.output {
	case flags.JSON:
		return command.Indented(r)
	case sarifForm:
		return sarifOf(r, o.rules)
	case junitForm:
		return junitOf(r, o.rules)
	}
	return textOf(r, colors, o.output == githubForm), nil
}

// writeWitness prints the witness of a finding, also of one below --level.
func (o *options) writeWitness(cmd *cobra.Command, c *lint.Cluster, found *lint.Report) error {
	f, err := o.findWitness(found)
	if err != nil {
		return &message.UsageError{Err: err}
	}
	out, err := WitnessOf(f, len(c.Webhooks) > 0)
	if err != nil {
		return err
	}
	return command.Write(cmd.OutOrStdout(), out)
}

// findWitness returns the finding that --witness names. The error says why it has no
// request.
func (o *options) findWitness(found *lint.Report) (*lint.Finding, error) {
	var known []string
	for i := range found.Findings {
		f := &found.Findings[i]
		switch {
		case len(f.Witnesses) > 0 && f.ID == o.witness:
			return f, nil
		case len(f.Witnesses) > 0:
			known = append(known, f.ID)
		case f.ID == o.witness:
			return nil, fmt.Errorf("--witness %s: the finding has evidence, but no request", o.witness)
		}
	}
	err := fmt.Errorf("--witness %q: there is no such finding", o.witness)
	if hint := message.DidYouMean(o.witness, known); hint != "" {
		err = fmt.Errorf("%w: %s", err, hint)
	}
	return nil, err
}
