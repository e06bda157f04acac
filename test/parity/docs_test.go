package parity

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/test/parity/world"
)

// TestPinnedTestsExist looks for the tests that docs/parity.md names: a
// difference that nothing pins would come and go unnoticed.
func TestPinnedTestsExist(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/parity.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(string(page), -1)
	const fewest = 40 // the page names more; none would mean that they are not recognized
	if len(names) < fewest {
		t.Errorf("only %d tests are named", len(names))
	}
	for _, name := range names {
		if !hasTest(t, filepath.Join("../..", name[1]), name[2]) {
			t.Errorf("there is no %s in %s", name[2], name[1])
		}
	}
}

// hasTest reports whether a test file in the folder has the function.
func hasTest(t *testing.T, dir, function string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func ` + function + `\(`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declared.Match(source) {
			return true
		}
	}
	return false
}

// TestFaultsAreDocumented: docs/parity.md lists exactly the rows in which gatehouse
// differs, and says whether exact mode does.
func TestFaultsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/parity.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^\| ((?:[A-O][0-9]+(?:, )?)+) \|.*\| (always|default) \|$`).FindAllStringSubmatch(string(page), -1) {
		for _, id := range strings.Split(line[1], ", ") {
			listed[id] = line[2]
		}
	}
	differing := map[string]string{}
	rows := loadFaults(t, faultTable)
	for i := range rows {
		switch row := &rows[i]; {
		case row.DiffersIn(world.Exact):
			differing[row.ID] = "always"
		case row.DiffersIn(world.Gatehouse):
			differing[row.ID] = "default"
		}
	}
	if diff := cmp.Diff(differing, listed); diff != "" || len(listed) == 0 {
		t.Errorf("the table of faults against the page (-table +page):\n%s", diff)
	}
}
