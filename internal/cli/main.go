package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
)

// The exit statuses; see the package comment.
const (
	exitDenied      = 1
	exitBadInput    = 2
	exitFailed      = 3
	exitInterrupted = 130
)

// Main runs the command with the given arguments, without the program's name,
// and returns its exit status. It returns soon after ctx is done, even if a
// read cannot be interrupted, such as from an idle pipe; it abandons such a
// read. The caller owns the streams; Main reads stdin only if an input is "-".
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// Libraries log through klog what the command reports itself, and would
	// write it to standard error.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	return execute(ctx, args, stdin, stdout, stderr)
}

// interruptGrace is the time that an interrupted command has to clean up,
// unless it is draining.
const interruptGrace = 2 * time.Second

// execute is Main without its effects on the process.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ended := make(chan int, 1)
	ctx, drains := command.AllowDraining(ctx)
	go func() { ended <- runCommand(ctx, args, stdin, stdout, stderr) }()
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

// runCommand runs the command to its end.
func runCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	used, err := root.ExecuteContextC(ctx)
	return report(ctx, used.CommandPath(), err, stderr)
}

// report prints an error and returns its exit status. used is the command that
// the hint about --help names, for example "gatehouse run".
func report(ctx context.Context, used string, err error, stderr io.Writer) int {
	var usage *message.UsageError
	var input *message.InputError
	var denied *message.DeniedError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, message.ErrDenied):
		return exitDenied
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		message.Notice(stderr, "interrupted")
		return exitInterrupted
	case errors.As(err, &usage):
		message.Notice(stderr, "%v", err)
		fmt.Fprintf(stderr, "See '%s --help'.\n", used)
		return exitBadInput
	case errors.Is(err, message.ErrShown):
		return exitBadInput
	case errors.As(err, &input):
		message.Notice(stderr, "%v", err)
		return exitBadInput
	case errors.As(err, &denied):
		message.Notice(stderr, "%v", err)
		return exitDenied
	default:
		message.Notice(stderr, "%v", err)
		return exitFailed
	}
}
