package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// runCase runs stages with a command in the place of make, which gets the
// stage's arguments.
type runCase struct {
	row
	command, stages string
	page            []string // what the page has
	err             string
}

func TestExecute(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []runCase{
		{row{"no figures", "a stage whose output is not understood has failed"}, "true", "cover", []string{"## cover", "it printed no figures"}, "failed: cover"},
		{row{"failing", "the others run all the same"}, "false", "cover|fuzz", []string{"## cover", "## fuzz", "exit status 1"}, "failed: cover, fuzz"},
		{row{"no stage", "a wrong name is a mistake"}, "true", "covers", nil, "-stages selects no stage"},
		{row{"no expression", "the same"}, "true", "(", nil, "-stages: error parsing regexp"},
	}, func(t *testing.T, tc runCase) {
		folder := t.TempDir()
		page := filepath.Join(folder, "page.md")
		err := execute(t.Context(), []string{"-make", tc.command, "-out", folder, "-page", page, "-stages", tc.stages}, t.Output())
		if !strings.HasPrefix(testtable.Text(err), tc.err) {
			t.Errorf("error %v, want %s", err, tc.err)
		}
		text, _ := os.ReadFile(page)
		for _, want := range tc.page {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s is not in the page:\n%s", want, text)
			}
		}
	})
}

// A run of some stages keeps what an earlier one wrote about others.
func TestPageKeepsSections(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.md")
	written := func(results ...result) string {
		t.Helper()
		for i := range results {
			if err := write(page, &results[i]); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	of := func(name, figure string) result {
		return result{stage: stage{name: name}, figures: []string{figure}}
	}
	written(of("fuzz", "first"), of("cover", "second"))
	got := written(of("fuzz", "third"))
	want := written(of("fuzz", "third"), of("cover", "second"))
	if got != want || strings.Contains(got, "first") || strings.Count(got, "\n## ") != 2 {
		t.Errorf("the page is\n%s\nwant\n%s", got, want)
	}
}

// figureCase is a line that a stage prints.
type figureCase struct {
	row
	stage, line string
	want        bool
}

func TestFigures(t *testing.T) {
	t.Parallel()
	all := map[string]stage{}
	for _, s := range stages() {
		all[s.name] = s
	}
	testtable.Run(t, []figureCase{
		{row{"coverage", "of a package"}, "cover", "example.com/gatehouse/matching 98.3%", true},
		{row{"scenarios", "of a source"}, "parity", "generated: scenarios 50000, differences 0", true},
		{row{"shares", "of what is drawn"}, "parity", "generated: requests with a call 75 %, a patch 42 %", true},
		{row{"a log line", "not a figure"}, "parity", "PASS", false},
		{row{"slopes", "of an hour"}, "soak", "slope at rest    resident memory -0.30 MiB a minute (at most +1.00)", true},
		{row{"a row of faults", "one of many"}, "punctual", "                  hang   1000      500       0     500     1000  0.86ms  17.04ms  28.02ms      23.33ms  29.85ms", true},
		{row{"a row of a benchmark", "with its ratio"}, "bench", "B4       4.73   4.15ms/878µs=4.73   791kB/350kB=2.26", true},
		{row{"progress of a benchmark", "not a figure"}, "bench", "round 1 of 3: B4", false},
		{row{"kills", "how often a server was killed"}, "kills", "    killed_test.go:68: killed 200 times, 150 of them when ready; checked 199 times", true},
		{row{"requests", "compared, in a second"}, "self", "BenchmarkSelf-2   \t  100000\t   4027480 ns/op\t  2483 requests/s", true},
		{row{"specs", "of a way"}, "peers", "    peers_test.go:46: specs: serve, all packages: 1 of 2 pass", true},
		{row{"mutants", "how many were killed"}, "mutants", "    mutants_test.go:52: mutants: killed 72 of 72", true},
	}, func(t *testing.T, tc figureCase) {
		if got := all[tc.stage].figures.MatchString(tc.line); got != tc.want {
			t.Errorf("a figure: %v, want %v", got, tc.want)
		}
	})
}
