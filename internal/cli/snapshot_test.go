package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/cli/program"
)

// TestInterruptedSnapshot: a snapshot that is interrupted while the API server does not
// answer leaves no trace.
func TestInterruptedSnapshot(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		interrupt()
		<-r.Context().Done()
	}))
	defer server.Close()
	folder := t.TempDir()
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(kubeconfig, []byte("{apiVersion: v1, kind: Config}"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status := execute(ctx, []string{
		"snapshot", "-o", filepath.Join(folder, "out"), "--kubeconfig", kubeconfig, "--server", server.URL,
	}, nil, &stdout, &stderr)
	if status != program.Interrupted || stderr.String() != "gatehouse: interrupted\n" {
		t.Errorf("exit status %d, and it says %q", status, stderr.String())
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
