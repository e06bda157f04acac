package run

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// The texts of --help.
const (
	help = `Admit objects through the webhooks of a configuration, and show what they did. Those on
this machine and at the targets of --resolve are called; all with --connect-anywhere.

Inputs are YAML or JSON files, folders with such files, or "-" for standard input. Those
after -f describe the cluster. The arguments are the objects to admit; without any, the
objects after -f that do not describe the cluster are. docs/requests.md has the rest.

The exit status is 0 if all objects were admitted, 1 if an object was denied or, with
--policy-orders, depends on the order, 2 if the command line or the input is wrong, 3 if
gatehouse itself failed, and 4 if no object was denied, but a webhook was not reached.`

	examples = `  # Create an object, with webhooks of the cluster that run on this machine
  gatehouse run -f webhooks.yaml --ca-file ca.crt \
    --resolve policy.webhooks.svc:443:127.0.0.1:8443 pod.yaml

  # Create the samples of a kubebuilder project, and write an HTML page
  gatehouse run -R -f config/ --report report.html config/samples

  # Find the pods of a cluster that a new webhook would deny
  kubectl get pods -A -o json | gatehouse run -f webhooks.yaml --only denied -

  # See the effect of a webhook that is down; 'gatehouse faults' lists more
  gatehouse run -f webhooks.yaml --inject policy.example.com=refuse pod.yaml

  # Update a stored object, as another user
  gatehouse run -f webhooks.yaml --old stored.yaml --as jane deployment.yaml`
)

// New returns the command.
func New() *cobra.Command {
	o, p := session.NewOptions(), &printing{format: flags.Table}
	cmd := &cobra.Command{
		Use:     "run [-f CONFIGS]... [OBJECTS]...",
		Short:   "Admit objects through admission webhooks",
		Long:    help,
		Example: examples,
		Args:    command.Objects("admit"),
	}
	f := cmd.Flags()
	o.AddClusterFlags(f)
	o.AddRequestFlags(f)
	o.AddCallFlags(f)
	f.StringVarP(&p.format, "output", "o", p.format,
		"`format`: table, yaml (objects as stored) or json (all)")
	f.StringSliceVar(&p.only, "only", nil,
		"print only `objects` that are denied, warned, changed or unknown; repeatable")
	f.IntVar(&o.Parallel, "parallel", 4*runtime.GOMAXPROCS(0),
		"admit `N` objects at a time; one with -v, --report, --inject")
	f.BoolVarP(&p.verbose, "verbose", "v", false,
		"explain each object, in short; on standard error with -o yaml and json")
	f.StringVar(&p.report, "report", "",
		"write an HTML page that explains everything to this `file`")
	p.recording.Add(f)
	f.BoolVar(&p.orders, "policy-orders", false,
		"show what depends on the order of mutating policies")
	complete.Requests(cmd)
	complete.Faults(cmd, "inject", &o.Configs)
	complete.Values(cmd, "output", flags.Table, flags.YAML, flags.JSON)
	complete.Values(cmd, "only", output.Selections...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.check(cmd, o); err != nil {
			return &message.UsageError{Err: err}
		}
		if p.orders {
			return p.runOrders(cmd, o, args)
		}
		return p.run(cmd, o, args)
	}
	return cmd
}

// run admits the objects and prints the results.
func (p *printing) run(cmd *cobra.Command, o *session.Options, objects []string) error {
	progress := newProgress(cmd.ErrOrStderr())
	stderr := progress.Writer(cmd.ErrOrStderr())
	stdout := cmd.OutOrStdout()
	printer, err := p.printer(command.Colors(cmd, stdout), progress.Writer(stdout), stderr)
	if err != nil {
		return &message.UsageError{Err: err}
	}
	o.Bodies = p.recording.Folder != ""
	o.Trace = p.verbose || p.report != ""
	o.Objects, o.Stdin, o.Stderr = objects, cmd.InOrStdin(), stderr
	s, err := session.Prepare(o)
	if err != nil {
		return err
	}
	defer s.Close()
	if p.recording.Folder != "" {
		if printer, err = output.Record(printer, &p.recording); err != nil {
			return &message.InputError{Err: fmt.Errorf("--record: %w", err)}
		}
	}
	end := progress.begin(s.Count())
	defer end()
	err = output.Show(cmd.Context(), s, &counted{printer, progress})
	end()
	finished := err == nil || errors.Is(err, message.ErrDenied) ||
		errors.Is(err, message.ErrNotReached)
	if finished && (len(p.only) > 0 || s.Count() > someObjects) {
		progress.summary(stderr)
	}
	return err
}

// printing are the flags for the output.
type printing struct {
	format  string
	verbose bool
	// only is the value of --only; may be empty.
	only []string
	// report is the file of --report; may be empty.
	report    string
	recording flags.Recording
	// orders is the value of --policy-orders.
	orders bool
}

// check returns a mistake in flags that printer does not see.
func (p *printing) check(cmd *cobra.Command, o *session.Options) error {
	f := cmd.Flags()
	if err := flags.CheckParallel(o.Parallel); err != nil {
		return err
	}
	switch {
	case f.Changed("report") && p.report == "":
		return errors.New("--report: the name of the file is empty")
	case f.Changed("only") && len(p.only) == 0:
		_, err := output.Only(nil, []string{""})
		return err
	case p.recording.Folder != "" && len(o.Inject) > 0:
		return errors.New("--record and --inject cannot be combined: faults are not answers of webhooks")
	case p.orders:
		return p.checkOrders(cmd)
	}
	return p.recording.Check(f)
}

// printer returns the printer for the flags, or a mistake in them.
func (p *printing) printer(
	colors command.Palette, stdout, stderr io.Writer,
) (output.Printer, error) {
	printer, ok := output.New(p.format, colors, stdout, stderr)
	if !ok {
		return nil, fmt.Errorf("--output %q: want table, yaml or json", p.format)
	}
	if p.verbose {
		printer = output.Verbose(printer, p.format, stdout, stderr)
	}
	if p.report != "" {
		var err error
		if printer, err = output.Report(printer, p.report); err != nil {
			return nil, fmt.Errorf("--report: %w", err)
		}
	}
	return output.Only(printer, p.only)
}
