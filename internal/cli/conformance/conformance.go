package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// New returns the command.
func New() *cobra.Command {
	o := &options{format: textForm}
	cmd := &cobra.Command{
		Use:     "conformance {-f CONFIGS... | --url URL} [SAMPLES...]",
		Short:   "Find defects of admission webhooks",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	o.addFlags(f)
	var ids []string
	for _, c := range conformance.Checks() {
		ids = append(ids, c.ID+"\t"+c.Title)
	}
	complete.Values(cmd, "only", ids...)
	complete.Values(cmd, "skip", ids...)
	complete.Values(cmd, "phase", admission.Mutating.String(), admission.Validating.String())
	complete.Values(cmd, "output", textForm, flags.JSON, junitForm, sarifForm)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.samples, o.stdin, o.stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		if err := o.check(f); err != nil {
			return &message.UsageError{Err: err}
		}
		if o.list {
			return o.printList(cmd.OutOrStdout())
		}
		o.colors = command.Colors(cmd, cmd.OutOrStdout())
		return o.run(cmd.Context(), cmd.OutOrStdout())
	}
	return cmd
}

// run runs the checks and prints the report.
func (o *options) run(ctx context.Context, stdout io.Writer) error {
	access, err := o.access()
	if err != nil {
		return err
	}
	s := o.subject(access)
	known, err := o.readBaseline()
	if err != nil {
		return &message.InputError{Err: err}
	}
	if o.observe != "" {
		observer, err := o.observer(access)
		if err != nil {
			return err
		}
		defer observer.close()
		if _, err := observer.read(ctx); err != nil {
			return unlessOver(ctx, &message.InputError{Err: err})
		}
		s.Observe = observer.read
	}
	if s.Exec != nil {
		end := func() {}
		s.Exec.Starting = func() { end = command.HoldSignals(ctx) }
		defer func() { end() }()
	}
	r, err := conformance.Run(ctx, s)
	if err != nil {
		return unlessOver(ctx, err)
	}
	if err := o.applyBaseline(known, r); err != nil {
		return err
	}
	text, err := o.form()(r.Merged())
	if err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	if err := command.Write(stdout, text); err != nil {
		return err
	}
	return outcome(r, o.stderr)
}

// unlessOver returns the context's error, if any, or else err.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// outcome returns the error with which the command ends. Webhooks that could
// not be checked take precedence over failed checks, and these over webhooks to
// which the command may not connect. The notices name all of the former.
func outcome(r *report.Report, stderr io.Writer) error {
	problems, unreached := problemsOf(r)
	failed := len(r.Failed(report.Must)) > 0
	if unreached != nil && (failed || problems != nil) {
		message.Notice(stderr, "%v", unreached)
	}
	switch {
	case problems != nil:
		return &message.InputError{Err: problems}
	case failed:
		return message.ErrDenied
	case unreached != nil:
		return &message.NotReachedError{Err: unreached}
	}
	return nil
}

// problemsOf returns the webhooks that could not be checked, and apart from them
// those to which the command may not connect, with their hints.
func problemsOf(r *report.Report) (problems, unreached error) {
	for _, w := range r.Problems() {
		err := errors.New(message.Escaped(w.Name + ": " + w.Problem))
		if w.Hint != "" {
			err = errors.Join(err, errors.New(message.Escaped(w.Name+": hint: "+w.Hint)))
		}
		if w.NotReached {
			unreached = errors.Join(unreached, err)
		} else {
			problems = errors.Join(problems, err)
		}
	}
	return problems, unreached
}
