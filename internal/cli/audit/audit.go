package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// The texts of --help.
const (
	help = `Read audit logs of API servers and report what they say about webhooks: how often each was
called, what it changed and denied, when it failed open, who writes which objects, and which
components repeatedly undo each other's changes.

A log has events of audit.k8s.io/v1, one per line or in EventLists, plain or compressed with
gzip or zstd. An argument is a file, a folder with files, or - for standard input. The command
sorts the events of several servers by time. It counts and names lines that are not events, and
continues. To follow a log, pipe it to the command: it says when a loop begins or a webhook
fails open for the first time, and ^C prints the report.

--object shows what happened to one object instead: each request, what the webhooks changed,
and who wrote which field. The patches in the log are applied to the object as it was sent,
with the defaults of built-in kinds, and compared with the answer. The data of Secrets is
hidden.

--record makes a corpus of the requests that can be admitted again (docs/corpus.md).

A log has patches and request bodies from the level Request on, and responses at the level
RequestResponse. The policy that 'gatehouse audit-policy' prints is enough. The report has no
values of objects, except in the requests that repeat loops. --redact hides values there, too.

After ^C the command reports on the events so far, and the exit status is that of the report.

The exit status is 0 if no component undoes changes of another one, 1 if one component undoes
changes of another, 2 if the command line or an input is wrong, 3 if gatehouse itself failed, and
130 if it was interrupted before there was anything to report.`

	examples = `  # What do the webhooks do, and do they fight with a controller?
  gatehouse audit /var/log/kubernetes/audit*.log

  # The same as a page
  gatehouse audit audit.log -o html > audit.html

  # Who wrote the replicas?
  gatehouse audit audit.log --object deployment/shop/web --field spec.replicas

  # The last hour, as it is written
  tail -n +1 -F audit.log | gatehouse audit - --since 1h

  # Would other webhooks have decided otherwise?
  gatehouse audit audit.log --record corpus
  gatehouse diff corpus --before old.yaml --after new.yaml`
)

// The formats of --output; text is the default.
const (
	text     = "text"
	htmlForm = "html"
)

type options struct {
	output, since string
	least         int
	gap           time.Duration
	object, field string
	record        string
	redact        []string
	// hidden are the paths of redact.
	hidden []explain.Path
}

// New returns the command.
func New() *cobra.Command {
	o := options{output: text, least: loops.DefaultLeast, gap: loops.DefaultGap}
	cmd := &cobra.Command{
		Use:     "audit LOG...",
		Short:   "Report from audit logs what webhooks did, and which changes conflict",
		Long:    help,
		Example: examples,
		Args:    command.Inputs("read"),
	}
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "",
		"leave out events before this `time`: RFC 3339, or a duration before now, such as 1h")
	f.IntVar(&o.least, "least", o.least, "`number` of repetitions that make a loop")
	f.DurationVar(&o.gap, "gap", o.gap, "longest `time` between two repetitions of a loop")
	f.StringVar(&o.object, "object", "",
		"show what happened to an object: `KIND/NAMESPACE/NAME`, or KIND/NAME")
	f.Func("field", "show only the writers at this `path`, such as spec.containers[0].image",
		func(text string) error {
			o.field = text
			return nil
		})
	f.StringVar(&o.record, "record", "",
		"add the requests that can be admitted again to the corpus in this `folder`")
	f.StringArrayVar(&o.redact, "redact", nil,
		"hide the values at this `path`, such as spec.containers[*].env; repeatable")
	f.StringVarP(&o.output, "output", "o", o.output, "`format`: text, json or html")
	complete.Values(cmd, "output", text, flags.JSON, htmlForm)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		since, err := o.check(f, args)
		if err != nil {
			return &message.UsageError{Err: err}
		}
		v, err := o.parse()
		if err != nil {
			return &message.UsageError{Err: err}
		}
		paths, err := auditlog.Files(args)
		if err != nil {
			return &message.InputError{Err: err}
		}
		in := auditlog.Input{Paths: paths, Stdin: cmd.InOrStdin(), Since: since}
		if v != nil {
			return o.show(cmd.Context(), cmd, in, v)
		}
		return o.report(cmd.Context(), cmd, in, args)
	}
	return cmd
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(f *pflag.FlagSet, args []string) (since time.Time, err error) {
	switch {
	case !slices.Contains([]string{text, flags.JSON, htmlForm}, o.output):
		return since, fmt.Errorf("--output %q: want text, json or html", o.output)
	case o.field != "" && o.output == htmlForm:
		return since, errors.New("--field has no effect on a page, which shows all writers: want -o text or json")
	case o.least < 1:
		return since, fmt.Errorf("--least %d: want at least 1", o.least)
	case o.gap <= 0:
		return since, fmt.Errorf("--gap %s: want more than 0", o.gap)
	case o.object != "" && (f.Changed("least") || f.Changed("gap")):
		return since, errors.New("--least and --gap have no effect on --object, which does not show loops")
	case o.object != "" && o.record != "":
		return since, errors.New("--record has no effect on --object")
	case f.Changed("record") && o.record == "":
		return since, errors.New("--record: the name of the folder is empty")
	}
	if err = o.parseRedact(); err != nil {
		return since, err
	}
	if since, err = parseSince(o.since, time.Now()); err != nil {
		return since, err
	}
	return since, flags.CheckStdin(args)
}

// parseRedact reads --redact.
func (o *options) parseRedact() error {
	for _, text := range o.redact {
		path, err := explain.ParsePath(text)
		if err != nil || path.String() == "" {
			return fmt.Errorf("--redact %q: want a path, such as spec.containers[*].env", text)
		}
		o.hidden = append(o.hidden, path)
	}
	return nil
}

// parseSince returns the time of --since; the zero time if it is not given.
func parseSince(value string, now time.Time) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(value); err == nil {
		if d < 0 {
			return time.Time{}, fmt.Errorf("--since %s: a duration before now is positive", value)
		}
		return now.Add(-d), nil
	}
	t, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return time.Time{}, fmt.Errorf(
			"--since %q: want a time, such as 2006-01-02T15:04:05Z, or a duration, such as 1h", value)
	}
	return t, nil
}

// report reads the logs, which are the arguments, and prints what they say.
func (o *options) report(
	ctx context.Context, cmd *cobra.Command, in auditlog.Input, logs []string,
) error {
	defer limitMemory()()
	// After ^C the report is still printed.
	command.Draining(ctx)
	t, f := tally.New(), loops.New(loops.Config{Least: o.least, Gap: o.gap})
	recording, err := o.startRecording()
	if err != nil {
		return err
	}
	live := newLive(cmd.ErrOrStderr(), f, &in)
	stats, err := auditlog.Read(ctx, in, func(e *auditlog.Event) error {
		t.Add(e)
		f.Add(e)
		live.add(e)
		return recording.add(e)
	})
	if err = errors.Join(err, recording.end()); err != nil {
		return err
	}
	if stats.Events == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	if stats.Events == 0 && stats.Broken > 0 {
		return &message.InputError{Err: fmt.Errorf("%s (there are no events)", stats.Problems[0])}
	}
	if stats.Events == 0 {
		return &message.InputError{Err: fmt.Errorf("%s: holds no events", strings.Join(logs, ", "))}
	}
	r := newReport(stats, t.Report(), f)
	r.Record = recording.report()
	if err := redactLoops(r.Loops, o.hidden); err != nil {
		return err
	}
	if ctx.Err() != nil {
		r.remark("The events after the interruption.")
	}
	out, err := o.encode(r, logs)
	if err == nil {
		err = command.Write(cmd.OutOrStdout(), out)
	}
	if err == nil && len(r.Loops) > 0 {
		return message.ErrDenied
	}
	return err
}

// encode returns a report in the format of --output.
func (o *options) encode(r *Report, logs []string) ([]byte, error) {
	switch o.output {
	case flags.JSON:
		return command.Indented(r)
	case htmlForm:
		return r.html(logs)
	}
	return r.text(), nil
}
