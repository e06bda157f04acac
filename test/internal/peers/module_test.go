//go:build peers

package peers

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/test/internal/processgroup"
)

const (
	peer     = "sigs.k8s.io/controller-runtime"
	imports  = `"sigs.k8s.io/controller-runtime/pkg/envtest"`
	replaced = `"example.com/gatehouse/test/envtest"`
)

// copyModule copies the module to a temporary folder and returns the folder. The
// copy is built with the versions that test/envtest requires, so that the compiler
// has done most of the work before.
func copyModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	ours := filepath.Join(root, "test/envtest")
	cached := strings.TrimSpace(string(run(t, ours, "go", "list", "-m", "-f", "{{.Dir}}", peer)))
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(cached)); err != nil {
		t.Fatal(err)
	}
	edit := []string{"mod", "edit", "-replace=example.com/gatehouse=" + root,
		"-require=example.com/gatehouse/test/envtest@v0.0.0", "-replace=example.com/gatehouse/test/envtest=" + ours}
	run(t, folder, "go", append(edit, requirements(t, ours)...)...)
	var sums []byte
	for _, path := range []string{folder, root, ours} {
		text, err := os.ReadFile(filepath.Join(path, "go.sum"))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, text...)
	}
	if err := os.WriteFile(filepath.Join(folder, "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// requirements returns what a module requires, but for the peer, as flags of go
// mod edit.
func requirements(t *testing.T, folder string) (flags []string) {
	t.Helper()
	var file struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(run(t, folder, "go", "mod", "edit", "-json"), &file); err != nil {
		t.Fatal(err)
	}
	for _, r := range file.Require {
		if r.Path != peer {
			flags = append(flags, "-require="+r.Path+"@"+r.Version)
		}
	}
	return flags
}

// replaceImports makes the tests in a folder import test/envtest. It reports
// whether any did.
func replaceImports(t *testing.T, folder string) bool {
	t.Helper()
	files, err := fs.Glob(os.DirFS(folder), "*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, name := range files {
		path := filepath.Join(folder, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.ReplaceAll(text, []byte(imports), []byte(replaced))
		if bytes.Equal(text, changed) {
			continue
		}
		found = true
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// run runs a command in a folder and returns what it prints on standard output.
func run(t *testing.T, folder, name string, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	processgroup.Own(command)
	defer processgroup.End(command)
	var stderr bytes.Buffer
	command.Dir, command.Stderr = folder, &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, &stderr)
	}
	return out
}
