package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

const (
	wholeRequest = "request: {operation: CREATE, kind: {group: '', version: v1, kind: Pod}, resource: {group: '', version: v1, resource: pods}}"
	wholeSteps   = "\nsteps: [{" + wholeRequest + "}]\n"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestLoad(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		files map[string]string
		want  []string // names of scenarios
		fails string   // part of the error
	}
	testtable.Run(t, []test{
		{row: row{"nothing", "a folder may be empty"}},
		{
			row:   row{"two documents and a comment", "a file holds many"},
			files: map[string]string{"a.yaml": "# said first\n---\nname: a\nwhy: w" + wholeSteps + "---\n# nothing\n---\nname: b\nwhy: w" + wholeSteps},
			want:  []string{"a", "b"},
		},
		{
			row:   row{"folders", "all that is below counts, and nothing else"},
			files: map[string]string{"z/b.yaml": "name: b\nwhy: w" + wholeSteps, "a.yaml": "name: a\nwhy: w" + wholeSteps, "c.txt": "name"},
			want:  []string{"a", "b"},
		},
		{
			row:   row{"unknown field", "a field that is misspelt must not count as left out"},
			files: map[string]string{"a.yaml": "name: a\nwhy: w" + wholeSteps + "---\nname: b\nwhy: w\ncover: []" + wholeSteps},
			fails: `a.yaml: document 2: error unmarshaling JSON: while decoding JSON: json: unknown field "cover"`,
		},
		{
			row:   row{"field twice", "the second would silently win"},
			files: map[string]string{"a.yaml": "name: a\nname: b\nwhy: w" + wholeSteps},
			fails: `key "name" already set`,
		},
		{
			row:   row{"name twice", "names identify scenarios in reports"},
			files: map[string]string{"a.yaml": "name: a\nwhy: w" + wholeSteps, "b.yaml": "name: a\nwhy: w" + wholeSteps},
			fails: `b.yaml: document 1: the name "a" is taken by`,
		},
		{row: row{"no name", "required"}, files: map[string]string{"a.yaml": "why: w" + wholeSteps}, fails: "name is missing"},
		{row: row{"no why", "required"}, files: map[string]string{"a.yaml": "name: a" + wholeSteps}, fails: "a: why is missing"},
		{row: row{"no steps", "required"}, files: map[string]string{"a.yaml": "name: a\nwhy: w"}, fails: "a: steps are missing"},
		{
			row: row{"no operation", "a request has to be one"}, fails: `a: steps[0].request: operation is "create", which is none`,
			files: map[string]string{"a.yaml": "name: a\nwhy: w" + strings.Replace(wholeSteps, "CREATE", "create", 1)},
		},
	}, func(t *testing.T, tc test) {
		loaded, err := Load(written(t, tc.files))
		if tc.fails != "" {
			if err == nil || !strings.Contains(err.Error(), tc.fails) {
				t.Fatalf("want an error with %q, got %v", tc.fails, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range loaded {
			names = append(names, s.Name)
		}
		if strings.Join(names, " ") != strings.Join(tc.want, " ") {
			t.Errorf("want %q, got %q", tc.want, names)
		}
	})
}

// written puts files into a folder.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
