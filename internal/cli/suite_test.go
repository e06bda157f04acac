package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/suitetest"
)

// TestSuitesUnwritable: a failure of the output is not one of a suite.
func TestSuitesUnwritable(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-o", "text"}, {"-o", "json"}, {"-o", "junit"}, {"-o", "github"}, {"--list"}} {
		var stderr bytes.Buffer
		status := execute(t.Context(), append([]string{"test", suitetest.File(t, 0, 1)}, args...), nil, brokenPipe{}, &stderr)
		if status != program.Failed || !strings.HasSuffix(stderr.String(), "gatehouse: writing the output: broken pipe\n") {
			t.Errorf("%s: status %d and %q, want %d and the reason", args, status, &stderr, program.Failed)
		}
	}
}

// TestSuitesInterrupted before there is anything to be run.
func TestSuitesInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var stderr bytes.Buffer
	if status := execute(ctx, []string{"test", suitetest.File(t, 0, 1)}, nil, io.Discard, &stderr); status != program.Interrupted {
		t.Errorf("status %d and %q, want %d", status, &stderr, program.Interrupted)
	}
}
