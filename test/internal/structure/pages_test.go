package structure

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/doctest"
)

// TestPromisesArePinned requires a row of docs/reliability.md for each promise
// of SECURITY.md, with a test and the command that runs it.
func TestPromisesArePinned(t *testing.T) {
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	_, list, _ := strings.Cut(read("SECURITY.md"), "## What is promised")
	list, _, _ = strings.Cut(list, "\n## ")
	promises := regexp.MustCompile(`(?s)\n- \*\*(.*?)\*\*`).FindAllStringSubmatch(list, -1)
	if len(promises) < 9 {
		t.Fatalf("only %d promises were found in SECURITY.md", len(promises))
	}
	_, table, _ := strings.Cut(read("docs/reliability.md"), "## What SECURITY.md promises")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, promise := range promises {
		text := strings.TrimSuffix(strings.Join(strings.Fields(promise[1]), " "), ".")
		_, row, found := strings.Cut(table, "\n| "+text+" |")
		row, _, _ = strings.Cut(row, "\n")
		cells := strings.Split(strings.Trim(row, " |"), " | ")
		if !found || len(cells) != 3 || len(doctest.In([]byte(cells[0]))) == 0 || !strings.Contains(cells[2], "make ") {
			t.Errorf("docs/reliability.md has no row for the promise %q with tests, a figure, and where it runs: %q", text, cells)
		}
	}
	if rows := strings.Count(table, "\n| ") - 1; rows != len(promises) {
		t.Errorf("docs/reliability.md has %d rows for %d promises", rows, len(promises))
	}
}

// TestPinnedTestsExist looks for the tests that the pages name: a difference
// from kube-apiserver, or a promise, that nothing pins would come and go
// unnoticed.
func TestPinnedTestsExist(t *testing.T) {
	// How many tests a page names at least; none would mean that they are not
	// recognized.
	for page, fewest := range map[string]int{"parity.md": 40, "reliability.md": 4} {
		content, err := os.ReadFile(filepath.Join("../../../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		tests := doctest.In(content)
		if len(tests) < fewest {
			t.Errorf("%s: only %d tests are named", page, len(tests))
		}
		for _, test := range tests {
			if exists, err := test.Exists("../../.."); err != nil || !exists {
				t.Errorf("%s: there is no %v (error %v)", page, test, err)
			}
		}
	}
}
