package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/fix"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/rules"
)

// TestFixedFilesAreValid fixes everything in a file for each rule with a remedy, and
// validates the result as `gatehouse validate` does.
func TestFixedFilesAreValid(t *testing.T) {
	t.Parallel()
	for _, rule := range fix.Rules() {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a.yaml")
			if err := os.WriteFile(path, fixed(t, filepath.Join("../lint/fix/testdata", rule+".yaml")), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			cmd := New()
			cmd.SetArgs([]string{"validate", "-f", path})
			cmd.SetOut(&out)
			cmd.SetErr(&out)
			if err := cmd.ExecuteContext(t.Context()); err != nil {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}

// fixed returns the text of a file after its fixes.
func fixed(t *testing.T, path string) []byte {
	t.Helper()
	in, err := inventory.Read(inventory.Files{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	c, err := lint.NewCluster(t.Context(), in, time.Now(), nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := lint.Run(c, rules.All())
	if err != nil {
		t.Fatal(err)
	}
	files, err := fix.Files(c, report.Findings)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files change: %v", len(files), err)
	}
	return files[0].After
}
