package parity

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// catalogueRow is a module of a few files, and what is wrong with its
// catalogue.
type catalogueRow struct {
	row
	page     string
	files    map[string]string
	covered  int
	total    int
	problems []string
}

// TestCatalogueProblems makes sure that TestCatalogue can fail.
func TestCatalogueProblems(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(coverageRows(), pageRows()...), func(t *testing.T, r catalogueRow) {
		dir := t.TempDir()
		writeInto(t, dir, cataloguePage, "# Page\n\n- any list\n\n## Facts\n\n"+r.page)
		for name, content := range r.files {
			writeInto(t, dir, name, content)
		}
		covered, total, problems, err := catalogueCoverage(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]any{r.covered, r.total, r.problems}, []any{covered, total, problems}); diff != "" {
			t.Errorf("covered, total, problems (-want +got):\n%s", diff)
		}
	})
	if _, _, _, err := catalogueCoverage(t.TempDir()); err == nil {
		t.Error("a module without a page has no catalogue to be covered")
	}
}

func writeInto(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// coverageRows are about the files.
func coverageRows() []catalogueRow {
	const plain, excused = "- **S-901** A fact.\n", "- **S-901** A fact. — not applicable: there is none\n"
	return []catalogueRow{
		{row{"named by a test", "this is what is wanted"}, plain, map[string]string{"a/a_test.go": "// S-901"}, 1, 1, nil},
		{row{"named by data", "a golden test has its reasons there"}, plain, map[string]string{"a/testdata/b/c.txtar": "# S-901"}, 1, 1, nil},
		{row{"named by a scenario", "scenarios are YAML"}, plain, map[string]string{"test/internal/parity/testdata/scenarios/a.yaml": "why: S-901"}, 1, 1, nil},
		{row{"named by the code only", "a mention in the code is no test"}, plain, map[string]string{"a/a.go": "// S-901"}, 0, 1,
			[]string{"S-901 is named by no test"}},
		{row{"named by YAML that no test reads", "an example is no test"}, plain, map[string]string{"a/a.yaml": "# S-901"}, 0, 1,
			[]string{"S-901 is named by no test"}},
		{row{"part of another number", "numbers are whole words"}, plain, map[string]string{"a/a_test.go": "// S-9012 XS-901"}, 0, 1,
			[]string{"S-901 is named by no test"}},
		{row{"excused", "a fact that cannot be tested is excused"}, excused, nil, 0, 1, nil},
		{row{"excused, named by the code", "the code may say what it does not do"}, excused, map[string]string{"a/a.go": "// S-901"}, 0, 1, nil},
		{row{"excused and named by a test", "one of the two is out of date"}, excused, map[string]string{"a/a_test.go": "// S-901"}, 0, 1,
			[]string{"S-901 is not applicable, but a/a_test.go names it"}},
		{row{"differs", "what differs is tested as well"}, "- **S-901** A fact. — differs: another\n", nil, 0, 1, []string{"S-901 is named by no test"}},
		{row{"unknown number", "a slip of the pen would name nothing"}, plain, map[string]string{"a/a_test.go": "// S-901", "a/a.go": "// S-902"}, 1, 1,
			[]string{"S-902, which a/a.go names, is not in docs/semantics.md"}},
		{row{"unknown number in a page", "pages name numbers as well"}, plain, map[string]string{"a/a_test.go": "// S-901", "docs/a.md": "S-901a"}, 1, 1,
			[]string{"S-901a, which docs/a.md names, is not in docs/semantics.md"}},
		{row{"hidden folder", "it is not the module's"}, plain, map[string]string{"a/a_test.go": "// S-901", ".git/a.go": "// S-902"}, 1, 1, nil},
	}
}

// pageRows are about the page.
func pageRows() []catalogueRow {
	named := map[string]string{"a_test.go": "// S-901 S-901a S-902"}
	return []catalogueRow{
		{row{"in order", "letters come after the bare number"}, "- **S-901** A.\n- **S-901a** B.\n\n### More\n\n- **S-902** C.\n", named, 3, 3, nil},
		{row{"registration", "the entries of R-numbers are not facts about admission"}, "- **S-901** A.\n- **R-901** B.\n  C.\n- **S-901a** C.\n- **S-902** D.\n", named, 3, 3, nil},
		{row{"malformed registration", "it would be skipped in silence"}, "- **S-901** A.\n- R-901 B.\n- **S-901a** C.\n- **S-902** D.\n", named, 3, 3,
			[]string{`docs/semantics.md: not an entry: "- R-901 B."`}},
		{row{"twice", "the number would be ambiguous"}, "- **S-901** A.\n- **S-901** B.\n- **S-901a** C.\n- **S-902** D.\n", named, 4, 4,
			[]string{"S-901 follows S-901: each number is there once, in order"}},
		{row{"out of order", "readers search the list by number"}, "- **S-902** A.\n- **S-901** B.\n- **S-901a** C.\n", named, 3, 3,
			[]string{"S-901 follows S-902: each number is there once, in order"}},
		{row{"not an entry", "it would be skipped in silence"}, "- **S-901** A.\n- S-901a B.\n- **S-901a** B.\n- **S-902** C.\n", named, 3, 3,
			[]string{`docs/semantics.md: not an entry: "- S-901a B."`}},
		{row{"no sentence", "a number needs a sentence"}, "- **S-901**\n- **S-901a** B.\n- **S-902** C.\n", named, 2, 2,
			[]string{`docs/semantics.md: not an entry: "- **S-901**"`, "S-901, which a_test.go names, is not in docs/semantics.md"}},
		{row{"unknown mark", "a reason that is misspelt must not excuse"}, "- **S-901** A. — later: soon\n- **S-901a** B.\n- **S-902** C.\n", named, 3, 3,
			[]string{`S-901: the mark "later" is unknown or has no reason`}},
		{row{"no reason", "an excuse needs one"}, "- **S-901** A. — not applicable:\n- **S-901a** B.\n- **S-902** C.\n", map[string]string{"a_test.go": "// S-901a S-902"}, 2, 3,
			[]string{`S-901: the mark "not applicable" is unknown or has no reason`}},
		{row{"mark on the next line", "entries may be long"}, "- **S-901** A.\n  — not applicable: no\n- **S-902** C.\n", map[string]string{"a_test.go": "// S-902"}, 1, 2, nil},
	}
}
