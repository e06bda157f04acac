package peers

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readList returns the causes of the specs in a list. A line that begins with #
// is the cause of all specs after it.
func readList(text string) map[string]string {
	causes := map[string]string{}
	cause := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if found, ok := strings.CutPrefix(line, "# "); ok {
			cause = found
		} else if line != "" {
			causes[line] = cause
		}
	}
	return causes
}

// compare returns what is wrong with the list: a spec that fails and is not in
// it, and one of a package that ran which is in it and does not fail.
func compare(causes map[string]string, packagePrefix string, failed []string) []string {
	var problems []string
	for _, spec := range failed {
		if causes[spec] == "" {
			problems = append(problems, "fails, and is not in the list with a cause: "+spec)
		}
	}
	for _, spec := range slices.Sorted(maps.Keys(causes)) {
		if strings.HasPrefix(spec, packagePrefix) && !slices.Contains(failed, spec) {
			problems = append(problems, "is in the list, and does not fail: "+spec)
		}
	}
	return problems
}

const listFile = "testdata/failing.txt"

func listed(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(listFile)
	if err != nil {
		t.Fatal(err)
	}
	return readList(string(text))
}

// TestList: each listed spec has a cause and a package that is run.
func TestList(t *testing.T) {
	t.Parallel()
	for spec, cause := range listed(t) {
		way, rest, _ := strings.Cut(spec, " ")
		name, _, ok := strings.Cut(rest, ": ")
		if cause == "" || !ok || !slices.Contains(ways, way) || !slices.Contains(packages, name) {
			t.Errorf("%q, for %q: want WAY PACKAGE: SPEC below a line with its cause", spec, cause)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	causes := readList("serve a: bare\n# why\nserve a: known\nserve a: repaired\n\nserve b: other\n")
	got := compare(causes, "serve a: ", []string{"serve a: known", "serve a: new", "serve a: bare"})
	want := []string{
		"fails, and is not in the list with a cause: serve a: new",
		"fails, and is not in the list with a cause: serve a: bare",
		"is in the list, and does not fail: serve a: repaired",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
