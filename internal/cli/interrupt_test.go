package cli

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"example.com/gatehouse/internal/cli/program"
)

// TestInterruptedInput: a command ends although its standard input stays open.
func TestInterruptedInput(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"validate", "-f", "-"}, {"run", "-f", "-", "x.yaml"},
		{"diff", "--before", "-", "--after", "x.yaml", "corpus"},
		{"equivalent", "--before", "-", "--after", "x.yaml"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		stdin, writer := io.Pipe()
		// Only so that no goroutine is left.
		defer writer.Close()
		// What is left behind may still write, but only when the pipe is
		// closed.
		var stderr bytes.Buffer
		if status := execute(ctx, args, stdin, io.Discard, &stderr); status != program.Interrupted {
			t.Errorf("%v: exit status %d, want %d", args, status, program.Interrupted)
		}
		if got, want := stderr.String(), "gatehouse: interrupted\n"; got != want {
			t.Errorf("%v: got %q, want %q", args, got, want)
		}
	}
}
