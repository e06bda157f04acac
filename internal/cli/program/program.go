package program

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	_ "example.com/gatehouse/internal/cli/program/garbage" // its initialization
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/message"
)

// The exit statuses; see the package comment.
const (
	Denied      = 1
	BadInput    = 2
	Failed      = 3
	NotReached  = 4
	Interrupted = 130
)

// Main runs the root command with the arguments and the streams of the process,
// until it ends or the process receives SIGINT or SIGTERM, and ends the process.
// A second signal ends the process at once.
func Main(ctx context.Context, root *cobra.Command) {
	// The first signal cancels ctx, and the second one ends the process.
	ctx = command.CatchSignals(ctx, os.Interrupt, syscall.SIGTERM)
	// Libraries log through klog what the command reports itself, and would
	// write it to standard error.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	os.Exit(Run(ctx, root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// interruptGrace is the time that an interrupted command has to clean up,
// unless it is draining.
const interruptGrace = 2 * time.Second

// Run runs the root command with the given arguments, without the program's
// name, and returns its exit status. It returns soon after ctx is done, even if
// a read cannot be interrupted, such as from an idle pipe; it abandons such a
// read. The caller owns the streams; commands read stdin only if an input is
// "-". A root can be run once.
func Run(
	ctx context.Context, root *cobra.Command, args []string,
	stdin io.Reader, stdout, stderr io.Writer,
) int {
	prepare(root)
	helpError := keepHelpError(root)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	ended := make(chan int, 1)
	ctx, drains := command.AllowDraining(ctx)
	go func() {
		used := root
		err := guard.Call(func() (err error) {
			used, err = root.ExecuteContextC(ctx)
			return cmp.Or(err, helpError())
		})
		ended <- report(ctx, used.CommandPath(), err, stderr)
	}()
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
	case <-time.After(interruptGrace):
		return report(ctx, "gatehouse", ctx.Err(), stderr)
	}
}

// prepare leaves the errors of all commands, including cobra's own, to report.
func prepare(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(
		func(cmd *cobra.Command, err error) error {
			return &message.UsageError{Err: command.UnknownFlag(cmd, err)}
		})
	checkArguments(root)
}

// keepHelpError makes all commands write their help through command.Write. The function that
// it returns returns the error of that, which cobra would drop.
func keepHelpError(root *cobra.Command) func() error {
	var failed error
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var text bytes.Buffer
		out := cmd.OutOrStdout()
		cmd.SetOut(&text)
		help(cmd, args)
		cmd.SetOut(out)
		failed = command.Write(out, text.Bytes())
	})
	return func() error { return failed }
}

// checkArguments turns the errors of argument checks into usage errors.
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
			return &message.UsageError{Err: err}
		}
		return nil
	}
}

// report prints an error and returns its exit status. used is the command that
// the hint about --help names, for example "gatehouse run".
func report(ctx context.Context, used string, err error, stderr io.Writer) int {
	var usage *message.UsageError
	var input *message.InputError
	var denied *message.DeniedError
	var notReached *message.NotReachedError
	var panicked *admission.PanicError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, message.ErrDenied):
		return Denied
	case errors.Is(err, message.ErrNotReached):
		return NotReached
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		message.Notice(stderr, "interrupted")
		return Interrupted
	case errors.As(err, &usage):
		message.Notice(stderr, "%v", err)
		fmt.Fprintf(stderr, "See '%s --help'.\n", used)
		return BadInput
	case errors.Is(err, message.ErrShown):
		return BadInput
	case errors.As(err, &notReached):
		message.Notice(stderr, "%v", err)
		return NotReached
	case errors.As(err, &input):
		message.Notice(stderr, "%v", err)
		return BadInput
	case errors.As(err, &denied):
		message.Notice(stderr, "%v", err)
		return Denied
	case errors.As(err, &panicked):
		message.Notice(stderr, "this is a fault of gatehouse: %v", err)
		_, _ = stderr.Write(panicked.Stack) // nothing is left to do if that fails
		return Failed
	default:
		message.Notice(stderr, "%v", err)
		return Failed
	}
}
