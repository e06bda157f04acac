package findings

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/gatehouse/internal/conformance/report"
)

// Where things are, from PROJECT/test/conformance.
const (
	repository = "../../../../.."
	project    = "../.."
)

// heading is what is above a finding in the page.
func heading(c report.Check) string { return fmt.Sprintf("\n### `%s` (%s)\n", c.ID, c.Level) }

// told returns the checks that a section has a heading for, in its order.
func told(section string) []string {
	var ids []string
	for _, match := range regexp.MustCompile("(?m)^### `(C-[A-Z0-9-]+)`").FindAllStringSubmatch(section, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

// summary counts verdicts in the words of the page.
func summary(r *report.Report) string {
	n := r.Tally()
	return fmt.Sprintf("Of %d checks, %d pass, %d fail and %d are skipped.",
		len(r.Checks), n.Passed, n.Failed+n.Warnings, n.Skipped)
}

// section returns what the page says about the library in the version that is
// used.
func (l *Library) section(t *testing.T) string {
	t.Helper()
	page := read(t, repository, "docs", "conformance-findings.md")
	version, err := l.version(read(t, project, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	section, err := l.sectionOf(page, version)
	if err != nil {
		t.Fatal(err)
	}
	return section
}

// version returns which version of the library a go.mod requires.
func (l *Library) version(mod string) (string, error) {
	match := regexp.MustCompile("(?m)^\t" + regexp.QuoteMeta(l.Module) + " (v.+)$").FindStringSubmatch(mod)
	if match == nil {
		return "", fmt.Errorf("go.mod does not require %s", l.Module)
	}
	return match[1], nil
}

func (l *Library) sectionOf(page, version string) (string, error) {
	title := "## " + l.Module + " " + version
	_, after, found := strings.Cut(page, "\n"+title+"\n")
	if !found {
		return "", fmt.Errorf("the page has no section with the heading %q", title)
	}
	own, _, _ := strings.Cut(after, "\n## ")
	return own, nil
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
