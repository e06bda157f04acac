package conformance

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/report"
)

var update = flag.Bool("update", false, "write docs/conformance.md anew")

const document = "../../../docs/conformance.md"

// group is a chapter of the document.
type group struct {
	Title, About string
	Checks       []report.Check
}

// groups are the chapters, each with its checks.
func groups(checks []report.Check) []group {
	all := []struct {
		of report.Group
		group
	}{
		{report.Protocol, group{Title: "Protocol", About: "Reviews, their answers, and HTTP."}},
		{report.Behaviour, group{Title: "Behaviour", About: "How webhooks change objects, alone and together."}},
		{report.TLS, group{Title: "TLS", About: "Certificates and versions. gatehouse skips these checks for a handler in a Go test, because it serves the handler itself."}},
		{report.Lifecycle, group{Title: "Lifecycle", About: "How the process of the webhooks starts, ends and is replaced. These checks run with `--exec` only. Each has one result for the process."}},
	}
	chapters := make([]group, len(all))
	for i, one := range all {
		chapters[i] = one.group
		for _, c := range checks {
			if c.Group == one.of {
				chapters[i].Checks = append(chapters[i].Checks, c)
			}
		}
	}
	return chapters
}

// anchor is what code hosts call the heading of a check.
func anchor(c report.Check) string { return strings.TrimPrefix(c.Link, report.Document) }

// prose returns a text as it stands in Markdown, where some characters mean
// something.
func prose(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "<", "&lt;", "|", `\|`).Replace(text)
}

// TestDocument compares docs/conformance.md with the definitions. With -update
// it is written anew.
func TestDocument(t *testing.T) {
	t.Parallel()
	page, err := template.New("conformance.md.tmpl").Funcs(template.FuncMap{"anchor": anchor, "prose": prose}).
		ParseFiles("testdata/conformance.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	checks := conformance.Checks()
	var want bytes.Buffer
	if err := page.Execute(&want, map[string]any{"Checks": checks, "Groups": groups(checks), "Looked": checkedCase}); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(document, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("docs/conformance.md differs from the definitions; go test ./internal/cli/conformance -update writes it anew (-want +got):\n%s", diff)
	}
}

// TestDefinitions are complete sentences, with IDs that are all different, and
// each is in a chapter.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	checks := conformance.Checks()
	for _, c := range checks {
		if seen[c.ID] || !regexp.MustCompile(`^C(-[A-Z0-9]+)+$`).MatchString(c.ID) {
			t.Errorf("%q is no ID, or not the only one", c.ID)
		}
		seen[c.ID] = true
		for name, text := range map[string]string{"Why": c.Why, "Fix": c.Fix} {
			if !regexp.MustCompile(`(?s)^\p{L}.+\.$`).MatchString(text) {
				t.Errorf("%s: %s is no sentence: %q", c.ID, name, text)
			}
		}
		if c.Title == "" || strings.HasSuffix(c.Title, ".") || c.Level != report.Must && c.Level != report.Should {
			t.Errorf("%s: title %q, level %q", c.ID, c.Title, c.Level)
		}
	}
	placed := 0
	for _, chapter := range groups(checks) {
		placed += len(chapter.Checks)
	}
	if placed != len(checks) {
		t.Errorf("%d of %d checks are in a chapter", placed, len(checks))
	}
}
