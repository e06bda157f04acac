package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// quick is settings with which a measurement is made and means nothing.
func quick(t *testing.T) settings {
	t.Helper()
	s := newSettings()
	s.rounds, s.span, s.window, s.out = 1, 2*time.Millisecond, 20*time.Millisecond, t.TempDir()
	s.many, s.policies, s.pods, s.large, s.long = 200, 20, 20, 32<<10, 20
	// Of the rows over TLS one is enough: the others differ in numbers.
	var err error
	if s.rows, err = selection("B[1-689]|B1[01]|B7/fan/1"); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRows checks every row, which compares both sides, and measures it
// briefly. It does not compare with gates.
func TestRows(t *testing.T) {
	s := quick(t)
	results, err := s.run(t.Context(), allRows(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	const skipped = 8
	if len(results) != len(allRows())-skipped {
		t.Fatalf("%d results for %d rows", len(results), len(allRows()))
	}
	var lines []line
	for _, r := range results {
		l := newLine(r)
		for _, v := range slices.Concat(l.gates, l.goals) {
			if v.value != v.value {
				t.Errorf("%s: there is a bound for %s, which is not measured", r.name, v.unit)
			}
		}
		lines = append(lines, l)
	}
	checkReport(t, lines)
	checkFiles(t, s.out, results, lines)
}

// checkReport looks for a line per row.
func checkReport(t *testing.T, lines []line) {
	t.Helper()
	var text strings.Builder
	if _, err := report(&text, lines); err != nil {
		t.Fatal(err)
	}
	printed := strings.Split(strings.TrimSpace(text.String()), "\n")
	if got := strings.Fields(printed[0]); len(printed) != len(lines)+1 || strings.Join(got[:5], " ") != "row ratio time bytes allocs" {
		t.Fatalf("a header and %d lines are wanted:\n%s", len(lines), text.String())
	}
	for i, l := range lines {
		if fields := strings.Fields(printed[i+1]); len(fields) < 6 || fields[0] != l.name {
			t.Errorf("%s: the line is %q", l.name, printed[i+1])
		}
	}
}

// checkFiles looks for every row in the files.
func checkFiles(t *testing.T, folder string, results []result, lines []line) {
	t.Helper()
	if err := writeRaw(folder, results); err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(folder, 1, lines); err != nil {
		t.Fatal(err)
	}
	for _, side := range both() {
		raw, err := os.ReadFile(filepath.Join(folder, side.String()+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if want := len(r.samples[side]); strings.Count(string(raw), "\nBenchmark"+r.name+"-") != want {
				t.Errorf("%s: %s.txt does not have %d lines of it", r.name, side, want)
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil || len(d.Rows) != len(lines) {
		t.Errorf("results.json: %v, %d rows", err, len(d.Rows))
	}
}

// TestPageListsRows: docs/performance.md has what -list prints.
func TestPageListsRows(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := list(&table, allRows()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(table.String()) {
		if !strings.Contains(string(page), line) {
			t.Errorf("docs/performance.md lacks\n%s", line)
		}
	}
}

func TestRowsAreDescribed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range allRows() {
		if r.name == "" || seen[r.name] || r.what == "" || r.open == nil {
			t.Errorf("%q: a name of its own, a description and a way to open it are wanted", r.name)
		}
		seen[r.name] = true
	}
}

// TestObjectsHaveTheirSize keeps the objects what the rows say they are.
func TestObjectsHaveTheirSize(t *testing.T) {
	t.Parallel()
	custom, err := newCustom(newPod())
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		object      any
		least, most int
	}{
		"pod":             {newPod(), 4400, 4600},
		"custom resource": {custom, 4400, 4700},
		"large pod":       {newLargePod(largeSize), largeSize * 95 / 100, largeSize * 105 / 100},
		"config map":      {newLarge(largeSize), largeSize * 99 / 100, largeSize * 105 / 100},
	} {
		content, err := json.Marshal(tc.object)
		if err != nil || len(content) < tc.least || len(content) > tc.most {
			t.Errorf("%s: %d bytes, error %v; want %d to %d", name, len(content), err, tc.least, tc.most)
		}
	}
}
