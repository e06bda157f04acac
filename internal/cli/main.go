package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"
)

// The exit statuses; see the package comment.
const (
	exitDenied      = 1
	exitBadInput    = 2
	exitFailed      = 3
	exitInterrupted = 130
)

// errDenied ends a command whose output has already said everything.
var errDenied = errors.New("denied")

// usageError is a mistake on the command line.
type usageError struct {
	err error
	// command is what --help is to be asked of, for example "gatehouse run".
	command string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// inputError is a mistake in what the command was given to read: one or several
// errors, each of one line.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// Main runs the command with the given arguments, without the program's name,
// and returns its exit status. It returns soon after ctx is done, also when an
// input cannot be interrupted, such as a pipe that nobody writes to; the reading of
// that is then left behind. The streams stay the caller's; stdin is read only if an
// input is "-".
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// Libraries below log through klog what the command reports itself, and
	// flag their log lines onto standard error.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	return execute(ctx, args, stdin, stdout, stderr)
}

// lastWords is how long a command that is interrupted has to put things in order,
// unless it is draining.
const lastWords = 2 * time.Second

// execute is Main without its effect on the process.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ended := make(chan int, 1)
	ctx, drains := allowDraining(ctx)
	go func() { ended <- perform(ctx, args, stdin, stdout, stderr) }()
	select {
	case status := <-ended:
		return status
	case <-ctx.Done():
	}
	select {
	case status := <-ended:
		return status
	case <-drains:
		return <-ended
	case <-time.After(lastWords):
		return report(ctx, ctx.Err(), stderr)
	}
}

// perform is execute for as long as it takes.
func perform(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return report(ctx, root.ExecuteContext(ctx), stderr)
}

// report prints an error and returns the exit status that it means.
func report(ctx context.Context, err error, stderr io.Writer) int {
	var usage *usageError
	var input *inputError
	var missing *missingError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errDenied):
		return exitDenied
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		notice(stderr, "interrupted")
		return exitInterrupted
	case errors.As(err, &usage):
		notice(stderr, "%v", err)
		fmt.Fprintf(stderr, "See '%s --help'.\n", usage.command)
		return exitBadInput
	case errors.As(err, &input):
		notice(stderr, "%v", err)
		return exitBadInput
	case errors.As(err, &missing):
		notice(stderr, "%v", err)
		return exitDenied
	default:
		notice(stderr, "%v", err)
		return exitFailed
	}
}

// notice prints a message, which may consist of several lines, each with the
// name of the program. That standard error cannot be written to is nothing that
// could be reported.
func notice(stderr io.Writer, format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		fmt.Fprintf(stderr, "gatehouse: %s\n", line)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "gatehouse",
		Short: "Admission webhooks as kube-apiserver calls them, without a cluster",
		Long: `gatehouse takes objects through admission webhooks as kube-apiserver would,
without a cluster, and shows which webhooks were called and what they did.`,
		Example: `  # See what it does, in one screen
  gatehouse demo

  # Take the objects of a file through the webhooks of a configuration
  gatehouse run -f webhooks.yaml deployment.yaml

  # Run an API server that calls them, for kubectl
  gatehouse serve -f webhooks.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		// Errors are printed by report.
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return misused(cmd, err) })
	root.AddCommand(newRun(), newReview(), newValidate(), newFaults(), newDemo(), newServe(), newVersion())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	checkArguments(root)
	return root
}

// misused makes a usage error of err.
func misused(cmd *cobra.Command, err error) error {
	return &usageError{err: err, command: cmd.CommandPath()}
}

// checkArguments makes usage errors of what the checks of arguments find, also
// those of the commands that cobra brings along.
func checkArguments(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		checkArguments(c)
	}
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return misused(cmd, err)
		}
		return nil
	}
}
