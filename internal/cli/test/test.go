package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/suite"
)

// New returns the command.
func New() *cobra.Command {
	o := &options{format: textForm, remarked: map[string]bool{}}
	cmd := &cobra.Command{
		Use:     "test [SUITES...]",
		Short:   "Run suites of tests of admission webhooks",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	o.addFlags(f)
	complete.Values(cmd, "output", textForm, flags.JSON, junitForm, githubForm)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.paths, o.stdin, o.stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		if err := o.check(f); err != nil {
			return &message.UsageError{Err: err}
		}
		if o.file != "" {
			return o.writeInit(cmd.Context(), cmd.OutOrStdout())
		}
		o.colors = command.Colors(cmd, cmd.OutOrStdout())
		return o.test(cmd.Context(), cmd.OutOrStdout())
	}
	return cmd
}

// test loads the suites, and lists or runs them.
func (o *options) test(ctx context.Context, stdout io.Writer) error {
	if len(o.paths) == 0 {
		o.paths = []string{"."}
	}
	suites, err := suite.Load(o.paths, o.stdin, o.suiteOptions()...)
	if err == nil {
		err = o.checkSelection(suites)
	}
	switch {
	case err != nil:
		return o.refuse(o.advise(err), stdout)
	case o.list:
		return o.printList(suites, stdout)
	}
	return o.runAll(ctx, suites, stdout)
}

// advise adds a hint to an error about a folder without suites.
func (o *options) advise(err error) error {
	for _, path := range o.paths {
		info, notThere := os.Stat(path)
		if notThere == nil && info.IsDir() && strings.Contains(err.Error(), path+": holds no suite") {
			return errors.Join(err, errors.New("--init writes a first suite from samples"))
		}
	}
	return err
}

// refuse returns the error of an invalid suite, and for GitHub annotates it.
func (o *options) refuse(err error, stdout io.Writer) error {
	if o.format == githubForm {
		if err := command.Write(stdout,
			annotations(err, "gatehouse test", manifest.Position{})); err != nil {
			return err
		}
		err = inertError(err)
	}
	return &message.InputError{Err: err}
}

// runAll runs suites and prints the results.
func (o *options) runAll(ctx context.Context, suites []*suite.Suite, stdout io.Writer) error {
	// From here on there may be processes to stop.
	defer command.HoldSignals(ctx)()
	p := newProgress(o.stderr, time.Now())
	defer p.Watch()()
	ctx, give := context.WithCancel(ctx)
	defer give()
	form := o.form(&printer{out: stdout, progress: p, cancel: give})
	results, ended := suite.Run(ctx, suites, suite.Options{
		Parallel: o.parallel, FailFast: o.failFast, Update: o.update, Select: o.wants, Output: o.live(p),
		Begin: func(s *suite.Suite, cases int) {
			o.remark(p, s)
			p.begin(s, cases)
		},
		Done: func(r *suite.Result) {
			p.see(r)
			form.see(r)
		},
		End: form.end,
	})
	p.end()
	if err := form.finish(results); err != nil {
		return err
	}
	if ended != nil {
		return ended
	}
	return o.outcome(results)
}

// remark prints remarks about a suite, each once.
func (o *options) remark(p *progress, s *suite.Suite) {
	var text bytes.Buffer
	for _, line := range s.Remarks {
		if o.remarked[line] {
			continue
		}
		o.remarked[line] = true
		message.Notice(&text, "%s", o.guard()(shown(line)))
	}
	// A failed write to standard error cannot be reported.
	_ = p.Aside(o.stderr, text.Bytes())
}

// outcome returns the error with which the command ends. Errors take precedence
// over failed cases, and these over webhooks that were not reached; the text has
// shown them already.
func (o *options) outcome(results []*suite.SuiteResult) error {
	var problems, unreached []error
	passed, failed := true, 0
	for _, s := range results {
		passed, failed = passed && s.Passed(), failed+s.Failed()
		if s.Err != nil {
			problems = append(problems, s.Err)
		}
		for _, r := range s.Results {
			err := errors.New(caseName(r) + ": " + fmt.Sprint(r.Err))
			switch {
			case r.NotReached():
				unreached = append(unreached, err)
			case r.Err != nil:
				problems = append(problems, err)
			}
		}
	}
	if len(problems) == 0 && failed == 0 && len(unreached) > 0 {
		return o.notReached(errors.Join(unreached...))
	}
	switch err := errors.Join(problems...); {
	case err != nil && o.format == textForm:
		return &message.InputError{Err: message.ErrShown}
	case err != nil && o.format == githubForm:
		return &message.InputError{Err: inertError(err)}
	case err != nil:
		return &message.InputError{Err: err}
	case !passed:
		return message.ErrDenied
	}
	return nil
}

// notReached returns the error of a run in which nothing failed, but webhooks
// were not reached. The text has shown it already.
func (o *options) notReached(err error) error {
	switch o.format {
	case textForm:
		return message.ErrNotReached
	case githubForm:
		err = inertError(err)
	}
	return &message.NotReachedError{Err: err}
}
