package cli

import (
	"bytes"
	"context"
	"io"
	"testing"

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
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		reader, writer := io.Pipe()
		// Only so that no goroutine is left.
		defer writer.Close()
		stdin := &interruptedReader{Reader: reader, interrupt: cancel}
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

// interruptedReader interrupts the command that begins to read it.
type interruptedReader struct {
	io.Reader
	interrupt func()
}

func (r *interruptedReader) Read(b []byte) (int, error) {
	r.interrupt()
	return r.Reader.Read(b)
}
