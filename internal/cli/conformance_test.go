package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/cli/program"
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
