package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/cli/program"
)

// TestDemoServe does what a newcomer does: it starts the webhooks, runs the
// command that is printed, and stops the webhooks.
func TestDemoServe(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ca := filepath.Join(t.TempDir(), "the ca.crt")
	printed, out := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		status := execute(ctx, []string{"demo", "--serve", "--write-ca", ca}, nil, out, &stderr)
		ended <- status
		_ = out.Close()
	}()
	args := readCommand(t, printed)

	var table, notices bytes.Buffer
	if status := execute(ctx, args, nil, &table, &notices); status != program.Denied {
		t.Errorf("run ended with status %d, want %d", status, program.Denied)
	}
	for _, want := range []string{"admitted  pods/web in shop\n", "denied    pods/stranger in tools\n"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &table)
		}
	}
	if notices.Len() > 0 {
		t.Errorf("run prints notices: %s", &notices)
	}

	stop()
	if status := <-ended; status != 0 || stderr.Len() > 0 {
		t.Errorf("the demo ended with status %d and %q, want 0 and nothing", status, &stderr)
	}
	if _, err := os.Stat(filepath.Dir(args[2])); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder is still there: %v", err)
	}
	if _, err := os.Stat(ca); err != nil {
		t.Errorf("the file of --ca-file is gone: %v", err)
	}
}

// readCommand returns the arguments of the command line in the output, which
// ends with the first line that is not continued.
func readCommand(t *testing.T, out io.Reader) []string {
	t.Helper()
	var args []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line, continued := strings.CutSuffix(strings.TrimSpace(lines.Text()), ` \`)
		if command, ok := strings.CutPrefix(line, "gatehouse "); ok {
			args = strings.Fields(command)
			continue
		}
		if args == nil {
			continue
		}
		flag, value, _ := strings.Cut(line, " ")
		args = append(args, flag, strings.Trim(value, "'"))
		if !continued {
			return args
		}
	}
	t.Fatalf("the output ended after %q", args)
	return nil
}
