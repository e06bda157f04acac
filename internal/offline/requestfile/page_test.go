package requestfile_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/schematest"
)

// pageExamples returns the documents on the page about requests: what stands in
// blocks that are said to be YAML or JSON.
func pageExamples(t testing.TB) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/requests.md")
	if err != nil {
		t.Fatal(err)
	}
	var examples []string
	for _, found := range regexp.MustCompile("(?s)```(?:yaml|json)\n(.*?)```").FindAllSubmatch(page, -1) {
		examples = append(examples, string(found[1]))
	}
	return examples
}

// TestPage reads every example on the page, and sees that there is one of every
// sort.
func TestPage(t *testing.T) {
	t.Parallel()
	var sorts []string
	for i, example := range pageExamples(t) {
		for d, err := range manifest.Documents(fmt.Sprintf("example %d", i+1), strings.NewReader(example)) {
			if err != nil {
				t.Error(err)
				continue
			}
			r, err := requestfile.Read(d)
			if err != nil {
				t.Error(err)
				continue
			}
			sorts = append(sorts, sortOf(r))
		}
	}
	for _, sort := range []string{
		"CREATE Pod", "UPDATE ConfigMap", "UPDATE Deployment strategic", "UPDATE ConfigMap json", "CREATE ConfigMap apply",
		"DELETE Pod", "DELETE ConfigMap collection", "CONNECT PodExecOptions", "UPDATE Scale", "UPDATE Node merge",
		"CREATE Eviction", "CREATE TokenRequest", "CREATE Binding", "CREATE ConfigMap review",
	} {
		if !slices.Contains(sorts, sort) {
			t.Errorf("there is no example of %s among %q", sort, sorts)
		}
	}
}

// sortOf says what an example is an example of.
func sortOf(r *requestfile.Request) string {
	words := []string{string(r.Operation)}
	for _, object := range []*manifest.Document{r.Object, r.OldObject} {
		if object != nil && len(words) == 1 {
			words = append(words, object.Kind.Kind)
		}
	}
	if r.Patch != nil {
		if r.Patch.Object != nil {
			words = append(words, r.Patch.Object.Kind.Kind)
		}
		words = append(words, string(r.Patch.Type))
	}
	if r.Collection {
		words = append(words, "collection")
	}
	if r.Review != nil {
		words = append(words, "review")
	}
	return strings.Join(words, " ")
}

// TestPageNamesAllFields looks for every field of the format in the table.
func TestPageNamesAllFields(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/requests.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## The fields\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for field := range schematest.GoFields(t, reflect.TypeFor[requestfile.AdmissionRequest]()) {
		// The names of fields within fields stand in the rows of those around
		// them.
		name := field[strings.LastIndex(field, ".")+1:]
		if name != "apiVersion" && name != "kind" && !strings.Contains(table, "`"+name+"`") {
			t.Errorf("the table does not name %s", field)
		}
	}
}
