package findings

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/conformance/report"
)

const processes = `# Page

| check | one | other |
|---|---|---|
| C-ONE | passes: 24 MiB | fails: 5 of 7 calls |
| C-TWO with ` + "`--pre-stop 5s`" + ` | passes, at once | passes |

| check | one |
|---|---|
| C-THREE | passes |
`

// TestEndings reads the table of a page.
func TestEndings(t *testing.T) {
	t.Parallel()
	two := ending{"C-TWO", "--pre-stop 5s", "passes"}
	for column, want := range map[string][]ending{
		"one":   {{"C-ONE", "", "passes"}, two},
		"other": {{"C-ONE", "", "fails"}, two},
		"none":  nil,
	} {
		if got := endings(processes, column); !cmp.Equal(want, got, cmp.AllowUnexported(ending{})) {
			t.Errorf("%s: got %v, want %v", column, got, want)
		}
	}
	if got := endings("# Page\n", "one"); got != nil {
		t.Errorf("without a table: %v", got)
	}
}

// TestDifferences has another verdict than that of the page noticed.
func TestDifferences(t *testing.T) {
	t.Parallel()
	for page, want := range map[string][]string{
		"fails":    nil,
		"may fail": nil,
		"passes":   {"C-ONE --pre-stop 5s fails, and the page says that it passes: it is bad\n"},
	} {
		r := found()
		r.Results[0].Findings = []report.Finding{{Message: "it is bad"}}
		got := differences(r, []ending{{"C-ONE", "--pre-stop 5s", page}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
