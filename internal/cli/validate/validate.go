package validate

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

const (
	help = `Validate the webhook configurations, admission policies and bindings in files as
kube-apiserver does when you create them, without a server.

Inputs are YAML or JSON files, folders with such files, or "-" for standard input.
Each object is decoded, defaulted and validated by itself. Documents of other kinds are
skipped, but a path without any configuration, policy, binding or CustomResourceDefinition
is an error. Two objects with the same name and content count as one.

The text contains the exact messages of 'kubectl create', each after lines with the
positions of its fields. For webhook configurations in
admissionregistration.k8s.io/v1beta1 the rules of v1.16 to v1.21 apply, the last
releases that served it.

For valid ValidatingAdmissionPolicies there are also the warnings that a cluster writes
into status.typeChecking: expressions whose types do not fit the kinds that the rules
name. CustomResourceDefinitions among the inputs have the types of custom kinds.

The exit status is 0 if all objects are valid, 1 if an object is invalid, 2 if the command
line is wrong or an input is unreadable, and 3 if gatehouse itself failed.`

	examples = `  # Check a folder
  gatehouse validate -f deploy/

  # Check the config folder of a kubebuilder project
  gatehouse validate -R -f config/

  # Check policies, and their types with those of custom kinds
  gatehouse validate -f policies.yaml -f config/crd/

  # Check the output of a chart
  helm template ./chart | gatehouse validate -f -

  # Count the errors of each file
  gatehouse validate -f deploy/ -o json | jq '.items[] | {file, errors: (.errors | length)}'`
)

// textFormat is the value of --output of this command.
const textFormat = "text"

// options are the flags of the command.
type options struct {
	files           flags.Files
	fieldValidation string
	output          string
	stdin           io.Reader
	// stderr receives notices.
	stderr io.Writer
	// colors are those of the text.
	colors command.Palette
}

// New returns the command.
func New() *cobra.Command {
	o := options{fieldValidation: "strict", output: textFormat}
	cmd := &cobra.Command{
		Use:     "validate [-f] FILES...",
		Short:   "Check webhook configurations and policies as kube-apiserver does",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	o.files.Add(f, "`file` or folder with configurations and policies, or -; repeatable")
	f.StringVar(&o.fieldValidation, "field-validation", o.fieldValidation,
		"how to treat unknown and duplicate fields: strict, warn or ignore")
	flags.Group(f, flags.Inputs)
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: text or json")
	complete.Values(cmd, "field-validation", "strict", "warn", "ignore")
	complete.Values(cmd, "output", textFormat, flags.JSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(args); err != nil {
			return &message.UsageError{Err: err}
		}
		o.stdin, o.stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
		o.colors = command.Colors(cmd, cmd.OutOrStdout())
		return validate(&o, cmd.OutOrStdout())
	}
	return cmd
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(args []string) error {
	if o.mode() == "" {
		return fmt.Errorf("--field-validation %q: want strict, warn or ignore", o.fieldValidation)
	}
	if o.output != textFormat && o.output != flags.JSON {
		return fmt.Errorf("--output %q: want text or json", o.output)
	}
	return o.files.Take(args, "validate")
}

// mode returns the value of --field-validation in any case, or "" if it is unknown.
func (o *options) mode() registration.FieldValidation {
	return map[string]registration.FieldValidation{
		"strict": registration.Strict, "warn": registration.Warn, "ignore": registration.Ignore,
	}[strings.ToLower(o.fieldValidation)]
}

// validate prints the results of all readable documents, and then returns the
// read errors.
func validate(o *options, stdout io.Writer) error {
	j := &validator{mode: o.mode(), created: map[identity]created{},
		reader: &manifest.Reader{Stdin: o.stdin, Recursive: o.files.Recursive}}
	for _, path := range o.files.Paths {
		j.read(path)
	}
	if len(j.items) == 0 && len(j.problems) == 0 {
		j.problems = append(j.problems, errors.New(
			"there are CustomResourceDefinitions, but no webhook configuration or admission policy"))
	}
	j.checkTypes(o)
	write := o.writeText
	if o.output == flags.JSON {
		write = writeJSON
	}
	if err := write(stdout, j.items); err != nil {
		return err
	}
	j.printNotices(o)
	if err := errors.Join(j.problems...); err != nil {
		return &message.InputError{Err: err}
	}
	if slices.ContainsFunc(j.items, func(i *item) bool { return !i.Valid }) {
		return message.ErrDenied
	}
	return nil
}

// identity is the key under which an object is unique.
type identity struct{ kind, name string }

// definitionKind is the kind of CustomResourceDefinitions.
var definitionKind = apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")

// object is a webhook configuration, or an admission policy or binding.
type object interface {
	runtime.Object
	metav1.Object
}

// created is a valid object, with its defaults.
type created struct {
	object
	at manifest.Position
}

// validator reads objects and collects their results.
type validator struct {
	mode   registration.FieldValidation
	reader *manifest.Reader
	items  []*item
	// created has the valid objects so far.
	created map[identity]created
	// definitions are CustomResourceDefinitions, whose schemas are types.
	definitions []*manifest.Document
	// problems are the read errors.
	problems []error
	skipped  int
}

// read validates the objects of a path. A path without any is an error,
// because a truncated file must not look valid; a folder of definitions is not.
func (j *validator) read(path string) {
	found, failed := 0, 0
	for d, err := range j.reader.Files([]string{path}) {
		switch {
		case err != nil:
			failed++
			j.problems = append(j.problems, err)
		case webhookconfig.Is(d.Kind):
			found++
			validateAs(j, d, rules[registration.Configuration]{
				[]string{"v1", "v1beta1"}, webhookconfig.Deprecation,
				registration.Decode, registration.Default, registration.Validate, registration.Warnings,
			})
		case policies.Is(d.Kind):
			found++
			validateAs(j, d, rules[policy.Object]{
				[]string{"v1", "v1beta1", "v1alpha1"}, policies.Deprecation,
				policy.Decode, policy.Default, policy.Validate, policy.Warnings,
			})
		case d.Kind == definitionKind:
			found++
			j.definitions = append(j.definitions, d)
		default:
			j.skipped++
		}
	}
	if found == 0 && failed == 0 {
		text := manifest.FileName(path) + ": holds no webhook configuration or admission policy"
		if unread := j.reader.UnreadIn(path); unread != "" {
			text += "; " + unread
		}
		j.problems = append(j.problems, errors.New(text))
	}
}

// printNotices prints how many documents were skipped, and which folders were
// not read.
func (j *validator) printNotices(o *options) {
	switch {
	case j.skipped == 1:
		message.Notice(o.stderr, "1 document of another kind was skipped")
	case j.skipped > 1:
		message.Notice(o.stderr, "%d documents of other kinds were skipped", j.skipped)
	}
	if len(j.problems) > 0 {
		return // they name the folders
	}
	for _, unread := range j.reader.Unread(o.files.Paths) {
		message.Notice(o.stderr, "%s", unread)
	}
}
