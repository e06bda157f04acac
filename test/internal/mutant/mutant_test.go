package mutant_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/mutant"
)

type row = testtable.Row

// module are the sources that are spoiled.
func module() map[string]string {
	return map[string]string{
		"a/a.go":     "// Package a adds.\npackage a\n\nfunc add(x, y int) int { return x + y }\n",
		"a/other.go": "package a\n\nconst most, least = 3, 3\n",
		"b/b.go":     "package b\n\nconst limit = 8\n",
	}
}

// board is what a spoiled package has in addition.
func board(name string) string {
	return "package " + name + `

import "os"

var mutantAwake = os.Getenv("GATEHOUSE_MUTANT")

func mutant(name string) bool { return mutantAwake == name }

func mutantPick[T any](name string, spoiled, sound T) T {
	if mutant(name) {
		return spoiled
	}
	return sound
}
`
}

// overlayRow is some mutants, and the sources that are to be used in place of
// the module's, or the error.
type overlayRow struct {
	row
	faults  []mutant.Fault
	sources map[string]string
	err     string
}

func overlayRows() []overlayRow {
	const a, other, b = "a/a.go", "a/other.go", "b/b.go"
	spoiled := func(path, before, after string) string { return strings.Replace(module()[path], before, after, 1) }
	return []overlayRow{
		{row{"none", "then everything is as it was"}, nil, map[string]string{}, ""},
		{row{"condition", "MUTANT holds when the mutant of that name is awake"},
			[]mutant.Fault{{"too \"far\"", b, `= 8`, `= map[bool]int{true: 9, false: 8}[MUTANT]`}},
			map[string]string{b: spoiled(b, `8`, `map[bool]int{true: 9, false: 8}[mutant("too \"far\"")]`), "b/mutant_overlay.go": board("b")}, ""},
		{row{"choice", "PICK takes the first when the mutant is awake; there may be several"},
			[]mutant.Fault{{"less", a, `x + y`, `PICK(x, y) - PICK(y, x)`}},
			map[string]string{a: spoiled(a, `x + y`, `mutantPick("less", x, y) - mutantPick("less", y, x)`), "a/mutant_overlay.go": board("a")}, ""},
		{row{"two in one file", "both are there, each under its name"},
			[]mutant.Fault{{"x", a, `x + `, `PICK(0, x) + `}, {"y", a, `+ y`, `+ PICK(0, y)`}},
			map[string]string{a: spoiled(a, `x + y`, `mutantPick("x", 0, x) + mutantPick("y", 0, y)`), "a/mutant_overlay.go": board("a")}, ""},
		{row{"two packages", "each has a switchboard, and only one"},
			[]mutant.Fault{{"x", a, `x + `, `PICK(0, x) + `}, {"most", other, `= 3,`, `= PICK(4, 3),`}, {"limit", b, `8`, `PICK(9, 8)`}},
			map[string]string{
				a: spoiled(a, `x + y`, `mutantPick("x", 0, x) + y`), other: spoiled(other, `= 3,`, `= mutantPick("most", 4, 3),`),
				b: spoiled(b, `8`, `mutantPick("limit", 9, 8)`), "a/mutant_overlay.go": board("a"), "b/mutant_overlay.go": board("b"),
			}, ""},
		{row{"missing text", "a change of the sources must not retire it quietly"},
			[]mutant.Fault{{"limit", b, `= 7`, `= PICK(9, 7)`}}, nil, "mutant \"limit\": its text is 0 times in b/b.go, not once:\n= 7"},
		{row{"text twice", "the anchor is ambiguous"},
			[]mutant.Fault{{"most", other, `3`, `PICK(4, 3)`}}, nil, "mutant \"most\": its text is 2 times in a/other.go, not once:\n3"},
		{row{"text is gone", "an earlier one has replaced it"},
			[]mutant.Fault{{"x", a, `x + y`, `PICK(0, x) + y`}, {"y", a, `x + y`, `x + PICK(0, y)`}}, nil,
			"mutant \"y\": its text is 0 times in a/a.go, not once:\nx + y"},
		{row{"changes nothing", "it could never be found"},
			[]mutant.Fault{{"limit", b, `8`, `8`}}, nil, `mutant "limit": it needs a name, and to change something in b/b.go`},
		{row{"no name", "the empty one is that of none"},
			[]mutant.Fault{{"", b, `8`, `PICK(9, 8)`}}, nil, `mutant "": it needs a name, and to change something in b/b.go`},
		{row{"missing file", "it may have another name by now"},
			[]mutant.Fault{{"limit", "b/c.go", `8`, `PICK(9, 8)`}}, nil, `mutant "limit": open /b/c.go: no such file or directory`},
	}
}

func TestOverlay(t *testing.T) {
	t.Parallel()
	testtable.Run(t, overlayRows(), func(t *testing.T, tc overlayRow) {
		dir := t.TempDir()
		for path, content := range module() {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, path), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		overlay, err := mutant.Overlay(dir, t.TempDir(), mutant.Mutants(tc.faults...))
		if got := strings.ReplaceAll(testtable.Text(err), dir, ""); got != tc.err {
			t.Fatalf("the error is %q\nwant %q", got, tc.err)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(tc.sources, read(t, dir, overlay)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for path, content := range module() {
			if now, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(now) != content {
				t.Errorf("the module's own %s is %q, %v", path, now, err)
			}
		}
	})
}

// read returns the sources that an overlay puts into a module.
func read(t *testing.T, module, overlay string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(overlay)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Replace map[string]string }
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(file.Replace)) {
		copied, err := os.ReadFile(file.Replace[path])
		if err != nil {
			t.Fatal(err)
		}
		within, err := filepath.Rel(module, path)
		if err != nil {
			t.Fatal(err)
		}
		sources[filepath.ToSlash(within)] = string(copied)
	}
	return sources
}
