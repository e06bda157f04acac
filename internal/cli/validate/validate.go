package validate

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

const (
	help = `Say what kube-apiserver would say if the webhook configurations in some files were
created there, without a server.

Inputs are YAML or JSON files, folders with such files, or "-" for standard input.
Each configuration is decoded, defaulted and validated by itself, as a server does
it. Documents of other kinds are skipped, but a path without any configuration is
an error.

The text has the messages of 'kubectl create', letter by letter, each after the
lines with the places of the fields that it is about. Configurations in
admissionregistration.k8s.io/v1beta1 are held to the rules of v1.16 to v1.21, the
last that served it.

The exit status is 0 if all configurations are valid, 1 if some are not, 2 if the
command line is wrong or something could not be read, and 3 if gatehouse itself
failed.`

	examples = `  # Check a folder
  gatehouse validate -f deploy/

  # Check what a chart makes
  helm template ./chart | gatehouse validate -f -

  # Count the errors of each file
  gatehouse validate -f deploy/ -o json | jq '.items[] | {file, errors: (.errors | length)}'`
)

// textFormat is the value of --output that only validate has.
const textFormat = "text"

// options are what `validate` has been told.
type options struct {
	files           []string
	fieldValidation string
	output          string
	stdin           io.Reader
	// stderr receives notices.
	stderr io.Writer
}

// New returns the command.
func New() *cobra.Command {
	o := options{fieldValidation: "strict", output: textFormat}
	cmd := &cobra.Command{
		Use:     "validate -f FILES...",
		Short:   "Check webhook configurations as kube-apiserver does",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.files, "filename", "f", nil, "`file` or folder with webhook configurations, or -; repeatable")
	f.StringVar(&o.fieldValidation, "field-validation", o.fieldValidation, "what to make of unknown and duplicate fields: strict, warn or ignore")
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: text or json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(args); err != nil {
			return &message.UsageError{Err: err}
		}
		o.stdin, o.stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
		return validate(&o, cmd.OutOrStdout())
	}
	return cmd
}

// check finds the mistakes that can be seen without opening a file.
func (o *options) check(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q is not an option: files are given with -f", args[0])
	}
	if len(o.files) == 0 {
		return errors.New("nothing to validate: give files, folders or - with -f")
	}
	if _, err := o.mode(); err != nil {
		return err
	}
	if o.output != textFormat && o.output != flags.JSON {
		return fmt.Errorf("--output %q: want text or json", o.output)
	}
	return flags.CheckStdin(o.files)
}

// mode returns what --field-validation means.
func (o *options) mode() (registration.FieldValidation, error) {
	switch o.fieldValidation {
	case "strict":
		return registration.Strict, nil
	case "warn":
		return registration.Warn, nil
	case "ignore":
		return registration.Ignore, nil
	}
	return "", fmt.Errorf("--field-validation %q: want strict, warn or ignore", o.fieldValidation)
}

// validate judges everything that can be read and prints it, before it complains
// about the rest.
func validate(o *options, stdout io.Writer) error {
	mode, err := o.mode()
	if err != nil {
		return err
	}
	j := newJudge(mode)
	for _, path := range o.files {
		j.read(path, o.stdin)
	}
	show := textOf
	if o.output == flags.JSON {
		show = jsonOf
	}
	shown, err := show(j.judgements)
	if err != nil {
		return err
	}
	if err := command.Write(stdout, shown); err != nil {
		return err
	}
	j.tell(o.stderr)
	if err := errors.Join(j.problems...); err != nil {
		return &message.InputError{Err: err}
	}
	if slices.ContainsFunc(j.judgements, func(v *judgement) bool { return !v.valid() }) {
		return message.ErrDenied
	}
	return nil
}

// identity is what there can be only one of.
type identity struct{ kind, name string }

// judge reads configurations and remembers what became of them.
type judge struct {
	mode       registration.FieldValidation
	judgements []*judgement
	// created says where the configurations are that would exist by now.
	created map[identity]manifest.Position
	// problems are what could not be read.
	problems []error
	skipped  int
}

func newJudge(mode registration.FieldValidation) *judge {
	return &judge{mode: mode, created: map[identity]manifest.Position{}}
}

// read judges the configurations of a path. One without any is a mistake: a file
// that was cut off must not look valid.
func (j *judge) read(path string, stdin io.Reader) {
	found, failed := 0, 0
	for d, err := range manifest.Files([]string{path}, stdin) {
		switch {
		case err != nil:
			failed++
			j.problems = append(j.problems, err)
		case webhookconfig.Is(d.Kind):
			found++
			j.judge(d)
		default:
			j.skipped++
		}
	}
	if found == 0 && failed == 0 {
		j.problems = append(j.problems, fmt.Errorf("%s: holds no webhook configuration", manifest.FileName(path)))
	}
}

// tell says what was not looked at.
func (j *judge) tell(stderr io.Writer) {
	switch {
	case j.skipped == 1:
		message.Notice(stderr, "1 document of another kind was skipped")
	case j.skipped > 1:
		message.Notice(stderr, "%d documents of other kinds were skipped", j.skipped)
	}
}
