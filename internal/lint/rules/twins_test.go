package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/rules"
)

// TestTwins: each rule finds its guilty twin, does not find the innocent one, and finds
// the mutants of the innocent one.
func TestTwins(t *testing.T) {
	t.Parallel()
	twins, mutants := 0, 0
	for _, rule := range rules.All() {
		folder := filepath.Join("testdata", rule.ID)
		innocent := read(t, filepath.Join(folder, "innocent.yaml"))
		guilty := read(t, filepath.Join(folder, "guilty.yaml"))
		twins += 2
		if n := changed(innocent, guilty); n > mostChanges {
			t.Errorf("%s: the twins differ in %d lines", rule.ID, n)
		}
		if !finds(t, rule, guilty) {
			t.Errorf("%s does not find its guilty twin", rule.ID)
		}
		if finds(t, rule, innocent) {
			t.Errorf("%s finds its innocent twin", rule.ID)
		}
		for _, mutant := range mutantsOf(t, folder, innocent) {
			mutants++
			if !finds(t, rule, mutant) {
				t.Errorf("%s does not find a mutant of its innocent twin:\n%s", rule.ID, mutant)
			}
		}
	}
	t.Logf("%d rules, %d twins, %d mutants", len(rules.All()), twins, mutants)
	if len(rules.All()) < 45 || mutants < 60 {
		t.Errorf("%d rules and %d mutants are too few", len(rules.All()), mutants)
	}
}

// finds reports whether a rule has a finding. It must not be skipped.
func finds(t *testing.T, rule *lint.Rule, text string) bool {
	t.Helper()
	report := examine(t, certified(t, text), rule)
	if len(report.Skipped) > 0 {
		t.Errorf("%s is skipped", rule.ID)
	}
	return len(report.Findings) > 0
}

// mostChanges is the number of lines of the field in which twins differ.
const mostChanges = 5

// changed counts the lines that only one of two texts has.
func changed(a, b string) int {
	n := 0
	count := map[string]int{}
	for line := range strings.Lines(a) {
		count[line]++
	}
	for line := range strings.Lines(b) {
		count[line]--
	}
	for _, c := range count {
		n += max(c, -c)
	}
	return (n + 1) / 2
}

// mutantsOf applies the lines OLD => NEW of mutants.txt, each to the innocent twin.
func mutantsOf(t *testing.T, folder, innocent string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "mutants.txt"))
	if err != nil || len(files) == 0 {
		return nil
	}
	var all []string
	for line := range strings.Lines(read(t, files[0])) {
		before, after, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if !ok || strings.Count(innocent, before) != 1 {
			t.Errorf("%s: %q is not once in innocent.yaml", files[0], line)
			continue
		}
		all = append(all, strings.Replace(innocent, before, after, 1))
	}
	return all
}
