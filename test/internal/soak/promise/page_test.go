package promise

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestPage: docs/reliability.md lists the promises, in the order and in the
// words that they have here.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(page)
	for _, p := range All() {
		var found bool
		row := fmt.Sprintf("| `%s` | %s |", p.Name, p.Says)
		if _, rest, found = strings.Cut(rest, row); !found {
			t.Fatalf("the page lacks this, here: %s", row)
		}
	}
}
