package parity

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/test/internal/parity/harness"
)

// TestFaultsAreDocumented: docs/parity.md lists exactly the rows in which
// gatehouse differs, and whether exact mode does.
func TestFaultsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/parity.md")
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
		case row.DiffersIn(harness.Exact):
			differing[row.ID] = "always"
		case row.DiffersIn(harness.Gatehouse):
			differing[row.ID] = "default"
		}
	}
	if diff := cmp.Diff(differing, listed); diff != "" || len(listed) == 0 {
		t.Errorf("the table of faults against the page (-table +page):\n%s", diff)
	}
}
