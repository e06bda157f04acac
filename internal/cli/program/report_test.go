package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestReport: how a command ends is a matter of its error's kind, however it is
// wrapped.
func TestReport(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	plain := errors.New("no")
	type test struct {
		row
		ctx    context.Context
		err    error
		status int
		want   string
	}
	testtable.Run(t, []test{
		{row{"nothing", "all is well"}, t.Context(), nil, 0, ""},
		{row{"denied", "the output has shown the error"}, t.Context(), message.ErrDenied, Denied, ""},
		{row{"denied and why", "the output has not"}, t.Context(), &message.DeniedError{Err: plain}, Denied, "gatehouse: no\n"},
		{row{"not reached", "the output has shown the webhook"}, t.Context(), message.ErrNotReached, NotReached, ""},
		{row{"not reached and where", "the output has not"}, t.Context(), &message.NotReachedError{Err: plain}, NotReached, "gatehouse: no\n"},
		{row{"usage", "the help is that of the command"}, t.Context(), &message.UsageError{Err: plain}, BadInput, "gatehouse: no\nSee 'gatehouse run --help'.\n"},
		{row{"input", "help would not help"}, t.Context(), &message.InputError{Err: plain}, BadInput, "gatehouse: no\n"},
		{row{"input and shown", "the output has shown the error"}, t.Context(), &message.InputError{Err: message.ErrShown}, BadInput, ""},
		{row{"lines", "each has the name of the program"}, t.Context(), &message.InputError{Err: errors.Join(plain, plain)}, BadInput, "gatehouse: no\ngatehouse: no\n"},
		{row{"wrapped", "commands add what they attempted"}, t.Context(), fmt.Errorf("demo: %w", &message.InputError{Err: plain}), BadInput, "gatehouse: demo: no\n"},
		{row{"other", "it is gatehouse's own"}, t.Context(), plain, Failed, "gatehouse: no\n"},
		{row{"panic", "the stack is for the report of the fault"}, t.Context(), &admission.PanicError{Value: "oh", Stack: []byte("goroutine 1\n")}, Failed,
			"gatehouse: this is a fault of gatehouse: oh\ngoroutine 1\n"},
		{row{"interrupted", "what it did to the command is no matter"}, over, fmt.Errorf("reading: %w", context.Canceled), Interrupted, "gatehouse: interrupted\n"},
		{row{"interrupted meanwhile", "the mistake was there before"}, over, &message.InputError{Err: plain}, BadInput, "gatehouse: no\n"},
		{row{"another context", "gatehouse was not interrupted"}, t.Context(), context.Canceled, Failed, "gatehouse: context canceled\n"},
	}, func(t *testing.T, tc test) {
		var stderr bytes.Buffer
		if status := report(tc.ctx, "gatehouse run", tc.err, &stderr); status != tc.status || stderr.String() != tc.want {
			t.Errorf("got status %d and %q, want %d and %q: %s", status, &stderr, tc.status, tc.want, tc.Why())
		}
	})
}

// TestPanic has a command panic: the program reports it and ends as after any other
// fault of its own.
func TestPanic(t *testing.T) {
	t.Parallel()
	root := &cobra.Command{Use: "gatehouse", Run: func(*cobra.Command, []string) { panic("oh") }}
	var stderr bytes.Buffer
	status := Run(t.Context(), root, nil, nil, io.Discard, &stderr)
	if status != Failed || !strings.HasPrefix(stderr.String(), "gatehouse: this is a fault of gatehouse: oh\ngoroutine ") {
		t.Errorf("got status %d and %q", status, &stderr)
	}
}

// fullDevice is /dev/full.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestLostHelp: help and the version that cannot be written are errors.
func TestLostHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--help"}, {"help"}, {"help", "run"}, {"run", "--help"}, {"--version"}} {
		root := &cobra.Command{
			Use: "gatehouse", Version: "v0.1.0", RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		}
		root.AddCommand(&cobra.Command{Use: "run", Short: "Run", Run: func(*cobra.Command, []string) {}})
		var stderr bytes.Buffer
		status := Run(t.Context(), root, args, nil, fullDevice{}, &stderr)
		if status != Failed || !strings.HasSuffix(stderr.String(), "no space left on device\n") {
			t.Errorf("%q: got status %d and %q", args, status, &stderr)
		}
	}
}
