package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestOneWordForTheUser: the one who sent a request is the user, whatever prints
// it (docs/glossary.md).
func TestOneWordForTheUser(t *testing.T) {
	t.Parallel()
	other := regexp.MustCompile(`(?i)\b(the|by|to|of) (author|caller|client|requester|sender)\b.*`)
	said := regexp.MustCompile(`by the user\b|Warnings to the user`)
	found := 0
	for _, pattern := range []string{
		"testdata/explain_*.txtar", "testdata/test_*.txtar", "../report/assets/script/*.js", "../report/assets/*.html",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range other.FindAll(text, -1) {
				t.Errorf("%s: %s", file, line)
			}
			found += len(said.FindAll(text, -1))
		}
	}
	if found == 0 {
		t.Error("nothing mentions the user")
	}
}
