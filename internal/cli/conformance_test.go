package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/processtest"
)

// looking returns the arguments that look at a webhook that is served here, and
// has a self-signed certificate.
func looking(t *testing.T, handler http.Handler, args ...string) []string {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	sample := filepath.Join(t.TempDir(), "map.yaml")
	if err := os.WriteFile(sample, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return append([]string{"conformance", "--url", server.URL + "/", "--only", "C-UID", sample}, args...)
}

// TestConformanceInterrupted while a webhook thinks: there is no report, and
// half of one would look like a result.
func TestConformanceInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	args := looking(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that it is seen when the client goes
		interrupt()
		<-r.Context().Done()
	}))
	var stdout, stderr bytes.Buffer
	if status := execute(ctx, args, nil, &stdout, &stderr); status != program.Interrupted || stdout.Len() > 0 {
		t.Errorf("status %d and %q, want %d and nothing", status, &stdout, program.Interrupted)
	}
	if got := stderr.String(); got != "gatehouse: interrupted\n" {
		t.Errorf("got %q on standard error", got)
	}
}

// TestConformanceExecInterrupted while a command does not listen: it ends with the run,
// as the children of its shell do.
func TestConformanceExecInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	file := filepath.Join(t.TempDir(), "processes")
	args := []string{"conformance", "-f", "../../examples/webhooks/webhooks.yaml", "--exec",
		"trap 'sleep 3; exit' TERM; sleep 1000 & echo $$ $! > '" + file + "'; wait"}
	var stdout, stderr bytes.Buffer
	ended := make(chan int)
	go func() { ended <- execute(ctx, args, nil, &stdout, &stderr) }()
	var shell, child int
	for n := 0; n < 2; {
		select {
		case status := <-ended:
			t.Fatalf("status %d before it was interrupted: %s", status, &stderr)
		case <-time.After(10 * time.Millisecond):
		}
		text, _ := os.ReadFile(file) // there is none at first
		n, _ = fmt.Sscanf(string(text), "%d %d\n", &shell, &child)
	}
	interrupt()
	if status := <-ended; status != program.Interrupted || stdout.Len() > 0 || stderr.String() != "gatehouse: interrupted\n" {
		t.Errorf("status %d, %q and %q, want %d and that it was interrupted", status, &stdout, &stderr, program.Interrupted)
	}
	if processtest.Runs(shell) || processtest.Runs(child) {
		t.Errorf("a process is left of %d and %d", shell, child)
	}
}

// TestConformanceUnwritable: a failure of the output is no verdict about a
// webhook.
func TestConformanceUnwritable(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"text", "json", "junit", "sarif"} {
		var stderr bytes.Buffer
		args := looking(t, misnamed("sloppy", "no"), "-o", form)
		status := execute(t.Context(), args, nil, brokenPipe{}, &stderr)
		if status != program.Failed || !strings.HasSuffix(stderr.String(), "gatehouse: writing the output: broken pipe\n") {
			t.Errorf("%s: status %d and %q, want %d and the reason", form, status, &stderr, program.Failed)
		}
	}
}
