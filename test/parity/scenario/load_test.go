package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	wholeRequest = "request: {operation: CREATE, kind: {group: '', version: v1, kind: Pod}, resource: {group: '', version: v1, resource: pods}}"
	wholeSteps   = "\nsteps: [{" + wholeRequest + "}]\n"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, row := range []struct {
		name, why string
		files     map[string]string
		want      []string // names of scenarios
		fails     string   // part of the error
	}{
		{name: "nothing", why: "a folder may be empty"},
		{
			name: "two documents and a comment", why: "a file holds many",
			files: map[string]string{"a.yaml": "# said first\n---\nname: a\nwhy: w" + wholeSteps + "---\n# nothing\n---\nname: b\nwhy: w" + wholeSteps},
			want:  []string{"a", "b"},
		},
		{
			name: "folders", why: "all that is below counts, and nothing else",
			files: map[string]string{"z/b.yaml": "name: b\nwhy: w" + wholeSteps, "a.yaml": "name: a\nwhy: w" + wholeSteps, "c.txt": "name"},
			want:  []string{"a", "b"},
		},
		{
			name: "unknown field", why: "a field that is misspelt must not count as left out",
			files: map[string]string{"a.yaml": "name: a\nwhy: w" + wholeSteps + "---\nname: b\nwhy: w\ncover: []" + wholeSteps},
			fails: `a.yaml: document 2: error unmarshaling JSON: while decoding JSON: json: unknown field "cover"`,
		},
		{
			name: "field twice", why: "the second would silently win",
			files: map[string]string{"a.yaml": "name: a\nname: b\nwhy: w" + wholeSteps},
			fails: `key "name" already set`,
		},
		{
			name: "name twice", why: "names identify scenarios in reports",
			files: map[string]string{"a.yaml": "name: a\nwhy: w" + wholeSteps, "b.yaml": "name: a\nwhy: w" + wholeSteps},
			fails: `b.yaml: document 1: the name "a" is taken by`,
		},
		{name: "no name", why: "required", files: map[string]string{"a.yaml": "why: w" + wholeSteps}, fails: "name is missing"},
		{name: "no why", why: "required", files: map[string]string{"a.yaml": "name: a" + wholeSteps}, fails: "a: why is missing"},
		{name: "no steps", why: "required", files: map[string]string{"a.yaml": "name: a\nwhy: w"}, fails: "a: steps are missing"},
		{
			name: "no operation", why: "a request has to be one", fails: `a: steps[0].request: operation is "create", which is none`,
			files: map[string]string{"a.yaml": "name: a\nwhy: w" + strings.Replace(wholeSteps, "CREATE", "create", 1)},
		},
	} {
		if row.name == "" || row.why == "" || seen[row.name] {
			t.Fatalf("row %q: needs a name of its own and a why", row.name)
		}
		seen[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			loaded, err := Load(written(t, row.files))
			if row.fails != "" {
				if err == nil || !strings.Contains(err.Error(), row.fails) {
					t.Fatalf("want an error with %q, got %v", row.fails, err)
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
			if strings.Join(names, " ") != strings.Join(row.want, " ") {
				t.Errorf("want %q, got %q", row.want, names)
			}
		})
	}
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
