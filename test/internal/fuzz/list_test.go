package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryTargetIsListed looks for targets in another way: at the beginnings
// of lines, in every file that may have some.
func TestEveryTargetIsListed(t *testing.T) {
	t.Parallel()
	s := &settings{command: "go", folder: "../../.."}
	listed, err := s.choose(t.Context(), ".*")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, target := range listed {
		got = append(got, target.String())
	}
	slices.Sort(got)
	want := written(t, s.folder)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("targets (-in the files +listed):\n%s", diff)
	}
	if len(want) < 20 {
		t.Errorf("only %d targets were found", len(want))
	}
}

// written returns the targets that the module's test files have.
func written(t *testing.T, root string) []string {
	t.Helper()
	function := regexp.MustCompile(`(?m)^func (Fuzz\w*)\(\w+ \*testing\.F\)`)
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if name := entry.Name(); path != root && (err == nil || name == "testdata" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, filepath.Dir(path))
		for _, match := range function.FindAllSubmatch(text, -1) {
			found = append(found, filepath.ToSlash(within)+"."+string(match[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}
