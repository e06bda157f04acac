package serve_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKubectlPlugin runs gatehouse as a plugin of kubectl, by the link that krew makes.
func TestKubectlPlugin(t *testing.T) {
	eachKubectl(t, func(t *testing.T, kubectl string) {
		folder := t.TempDir()
		if err := os.Symlink(binary, filepath.Join(folder, "kubectl-gatehouse")); err != nil {
			t.Fatal(err)
		}
		gatehouse := func(args ...string) (string, error) {
			command := exec.CommandContext(t.Context(), kubectl, append([]string{"gatehouse"}, args...)...)
			command.Env = append(os.Environ(), "PATH="+folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
			out, err := command.CombinedOutput()
			return string(out), err
		}
		out, err := gatehouse("plan", "-f", "../../../examples/quickstart")
		if err != nil || !strings.Contains(out, "CREATE pods/web in shop by gatehouse: 3 of 4 webhooks") {
			t.Errorf("kubectl gatehouse plan: %v: %s", err, out)
		}
		var ended *exec.ExitError
		if out, err := gatehouse("plan", "--nothing"); !errors.As(err, &ended) || ended.ExitCode() != 2 {
			t.Errorf("a wrong flag: %v: %s", err, out)
		}
	})
}
