package snapshot

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestPage: the table of docs/snapshot.md has all kinds, in their order.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/snapshot.md")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9.]+)\\.yaml` \\| all \\|").FindAllSubmatch(page, -1) {
		got = append(got, string(row[1]))
	}
	for _, k := range kinds {
		want = append(want, k.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the page has\n%q\nwant\n%q", got, want)
	}
}
