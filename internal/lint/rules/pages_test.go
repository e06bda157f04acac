package rules_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/rules"
)

var update = flag.Bool("update", false, "rewrite the pages about rules and findings")

const (
	rulesPage    = "../../../docs/lint.md"
	findingsPage = "../../../docs/lint-findings.md"
	projects     = "../../../admission/registration/testdata/projects"
)

// generated ends the text of a page that is written by hand.
const generated = "<!-- What follows is written by a test: go test ./internal/lint/rules -run %s -update -->\n"

// TestRulesPage: docs/lint.md has all rules.
func TestRulesPage(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString("\n| rule | level | finds |\n|---|---|---|\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&page, "| [%s](#%[1]s) | %s | %s |\n", r.ID, r.Level, r.Title)
	}
	for _, r := range rules.All() {
		fmt.Fprintf(&page, "\n### %s\n\n%s: %s\n\n%s\n\nFix: %s\n\n", r.ID, strings.ToUpper(string(r.Level[:1]))+string(r.Level[1:]),
			r.Title, r.Why, r.Fix)
		if len(r.Needs) > 0 {
			fmt.Fprintf(&page, "Needs among the inputs: %s.\n\n", strings.Join(r.Needs, " or "))
		}
		fmt.Fprintf(&page, "Sources: %s\n", strings.Join(links(r.Sources), ", "))
	}
	compare(t, rulesPage, "TestRulesPage", page.String())
}

// links returns sources as Markdown. A thread is ORGANIZATION/REPOSITORY#NUMBER.
func links(sources []string) []string {
	var all []string
	for _, s := range sources {
		if repository, number, ok := strings.Cut(s, "#"); ok && !strings.HasPrefix(s, "https://") {
			s = fmt.Sprintf("[%s](https://github.com/%s/issues/%s)", s, repository, number)
		} else {
			s = "<" + s + ">"
		}
		all = append(all, s)
	}
	return all
}

// TestSources: rules have an ID, a level and sentences, and name where they come from.
func TestSources(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rules.All() {
		for _, text := range []string{r.Title, r.Why, r.Fix} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%s: %q is no sentence", r.ID, text)
			}
		}
		if seen[r.ID] || r.Level == "" || len(r.Sources) == 0 {
			t.Errorf("%s has no level or source, or is there twice", r.ID)
		}
		seen[r.ID] = true
	}
}

// compare compares the generated part of a page, or writes it.
func compare(t *testing.T, file, test, want string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mark := fmt.Sprintf(generated, test)
	head, _, ok := strings.Cut(string(page), mark)
	if !ok {
		t.Fatalf("%s has no line %q", file, mark)
	}
	text := []byte(head + mark + want)
	if bytes.Equal(page, text) {
		return
	}
	if !*update {
		t.Fatalf("%s differs from what the rules say: run the test with -update", file)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFindingsPage: docs/lint-findings.md has every finding about the configurations of
// public projects, and says of each why it is true.
func TestFindingsPage(t *testing.T) {
	t.Parallel()
	reasons := reasonsOf(t)
	var page strings.Builder
	page.WriteString("\n| project | rule | where | true, because |\n|---|---|---|---|\n")
	files, err := filepath.Glob(filepath.Join(projects, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		project := strings.TrimSuffix(filepath.Base(file), ".yaml")
		report := examine(t, read(t, file), rules.All()...)
		for _, group := range byRule(report) {
			key := fmt.Sprintf("| %s | %s | %s |", project, group.rule, strings.Join(group.subjects, ", "))
			reason := reasons[key]
			if reason == "" {
				reason = "?"
				t.Errorf("%s has no reason", key)
			}
			fmt.Fprintf(&page, "%s %s |\n", key, reason)
		}
	}
	compare(t, findingsPage, "TestFindingsPage", page.String())
}

// reasonsOf returns the last column of each row of the page by the others.
func reasonsOf(t *testing.T) map[string]string {
	t.Helper()
	reasons := map[string]string{}
	for line := range strings.Lines(read(t, findingsPage)) {
		line = strings.TrimSuffix(strings.TrimSpace(line), " |")
		if at := strings.LastIndex(line, "| "); at > 0 {
			reasons[line[:at+1]] = strings.Trim(line[at+2:], "? ")
		}
	}
	return reasons
}

// findingsOf are the findings of a rule about a project. The rule has a remark if the
// findings are part of others.
type findingsOf struct {
	rule     string
	subjects []string
}

func byRule(report *lint.Report) []findingsOf {
	within := map[string]string{} // remarks, by the ID of the finding
	for _, group := range report.ByCause() {
		for _, f := range group[1:] {
			if first := group[0].Rule.ID; first != f.Rule.ID {
				within[f.ID] = " (in " + first + ")"
			}
		}
	}
	var all []findingsOf
	for _, f := range report.Findings {
		rule, subject := f.Rule.ID+within[f.ID], f.Subject[strings.LastIndex(f.Subject, " ")+1:]
		i := slices.IndexFunc(all, func(g findingsOf) bool { return g.rule == rule })
		if i < 0 {
			i = len(all)
			all = append(all, findingsOf{rule: rule})
		}
		all[i].subjects = append(all[i].subjects, subject)
	}
	return all
}
