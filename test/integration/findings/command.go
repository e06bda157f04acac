package findings

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/conformance/report"
)

// Certify makes a certificate for a host, by a CA of its own. It returns a
// folder with tls.crt, tls.key, and ca.crt, which clients have to trust.
func Certify(t *testing.T, host string) (folder string) {
	t.Helper()
	authority, err := certs.NewAuthority("findings")
	if err != nil {
		t.Fatal(err)
	}
	server, err := authority.Server(host)
	if err != nil {
		t.Fatal(err)
	}
	chain, key, err := certs.PEM(server)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	for name, text := range map[string][]byte{"tls.crt": chain, "tls.key": key, "ca.crt": authority.Bundle()} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Command builds the command and its API server, as users have them, and returns
// the path of the command; or it returns the one that make integration has
// built.
func Command(t *testing.T) string {
	t.Helper()
	if built := os.Getenv("GATEHOUSE_COMMAND"); built != "" {
		return built
	}
	folder := t.TempDir()
	command := exec.CommandContext(t.Context(), "go", "build", "-o", folder, "./cmd/...")
	command.Dir = repository
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("building the command: %v\n%s", err, text)
	}
	return filepath.Join(folder, "gatehouse")
}

// run has the command look at webhooks, and returns its report.
func run(t *testing.T, args []string) *report.Report {
	t.Helper()
	command := exec.CommandContext(t.Context(), Command(t), append([]string{"conformance", "-o", "json"}, args...)...)
	command.Stderr = t.Output()
	// That checks failed is in the report, too; without one there is nothing to
	// compare.
	text, err := command.Output()
	r := &report.Report{}
	if unread := json.Unmarshal(text, r); unread != nil {
		t.Fatalf("%v: the report cannot be read: %v\n%s", err, unread, text)
	}
	return r
}
