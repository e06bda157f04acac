package structure

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	fences      = regexp.MustCompile("(?ms)^```.*?^```$")
	codes       = regexp.MustCompile("`[^`\n]*`")
	links       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headings    = regexp.MustCompile(`(?m)^#{1,6} (.*)$`)
	punctuation = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinksLeadSomewhere follows the links between pages, with their anchors, to files of the
// repository. It dials nothing: a link to the web is for readers.
func TestLinksLeadSomewhere(t *testing.T) {
	files := map[string]bool{}
	for _, file := range tracked(t) {
		for ; file != "."; file = path.Dir(file) {
			files[file] = true
		}
	}
	followed := 0
	for _, page := range tracked(t, "*.md") {
		for _, target := range linksOf(t, page) {
			followed++
			file, anchor, _ := strings.Cut(target, "#")
			if file = path.Join(path.Dir(page), file); strings.HasPrefix(target, "#") {
				file = page
			}
			switch {
			case !files[file]:
				t.Errorf("%s has the link %s: no file", page, target)
			case anchor != "" && !anchorsOf(t, file)[anchor]:
				t.Errorf("%s has the link %s: no heading", page, target)
			}
		}
	}
	if followed < 100 {
		t.Errorf("only %d links were followed", followed)
	}
}

// TestIndexListsThePages requires that a reader finds each page in the index.
func TestIndexListsThePages(t *testing.T) {
	listed := map[string]bool{"docs/README.md": true}
	for _, target := range linksOf(t, "docs/README.md") {
		listed[path.Join("docs", target)] = true
	}
	for _, page := range tracked(t, "docs/*.md") {
		if !listed[page] {
			t.Errorf("docs/README.md has no link to %s", page)
		}
	}
}

// linksOf returns the targets of the links of a page to other pages.
func linksOf(t *testing.T, page string) []string {
	t.Helper()
	text := fences.ReplaceAllString(strings.Join(linesOf(t, page), "\n"), "")
	var targets []string
	for _, link := range links.FindAllStringSubmatch(codes.ReplaceAllString(text, ""), -1) {
		if !strings.Contains(link[1], "://") {
			targets = append(targets, link[1])
		}
	}
	return targets
}

// anchorsOf returns the anchors of the headings of a page, as code hosts make them.
func anchorsOf(t *testing.T, page string) map[string]bool {
	t.Helper()
	text := fences.ReplaceAllString(strings.Join(linesOf(t, page), "\n"), "")
	anchors := map[string]bool{}
	for _, heading := range headings.FindAllStringSubmatch(text, -1) {
		plain := punctuation.ReplaceAllString(strings.ToLower(links.ReplaceAllString(heading[1], "]")), "")
		anchors[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return anchors
}
