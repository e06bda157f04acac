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
	ctx, drains := command.AllowDraining(ctx)
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
		return report(ctx, "gatehouse", ctx.Err(), stderr)
	}
}

// perform is execute for as long as it takes.
func perform(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	used, err := root.ExecuteContextC(ctx)
	return report(ctx, used.CommandPath(), err, stderr)
}

// report prints an error and returns the exit status that it means. used is what --help
// is to be asked of, for example "gatehouse run".
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
