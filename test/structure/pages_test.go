package structure

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/pinned"
)

// TestPinnedTestsExist looks for the tests that the pages name: a difference from
// kube-apiserver, or a promise, that nothing pins would come and go unnoticed.
func TestPinnedTestsExist(t *testing.T) {
	// How many tests a page names at least; none would mean that they are not recognized.
	for page, fewest := range map[string]int{"parity.md": 40, "reliability.md": 4} {
		content, err := os.ReadFile(filepath.Join("../../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		tests := pinned.In(content)
		if len(tests) < fewest {
			t.Errorf("%s: only %d tests are named", page, len(tests))
		}
		for _, test := range tests {
			if exists, err := test.Exists("../.."); err != nil || !exists {
				t.Errorf("%s: there is no %v (error %v)", page, test, err)
			}
		}
	}
}
