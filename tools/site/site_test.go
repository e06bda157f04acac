package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made makes the site of some files.
func made(t *testing.T, files map[string]string) (map[string][]byte, error) {
	t.Helper()
	folder := t.TempDir()
	var names []string
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	s, err := read(folder, names)
	if err != nil {
		return nil, err
	}
	return s.render()
}

func TestPages(t *testing.T) {
	pages, err := made(t, map[string]string{
		"README.md":          "# Start\n\n[docs](docs/README.md), [part](docs/a.md#is-it-b), [folder](examples)",
		"docs/README.md":     "# Index\n\n## Guides: do it\n\n- [a](a.md) and [again](a.md#part)\n- [schemas](schemas)",
		"docs/a.md":          "# The `a`\n\n## Part\n\n## Part\n\n## Is it `b`?\n\n[own](#part-1) [web](https://example.com/) <b>raw</b>\n\n![p](p.png)",
		"docs/p.png":         "picture",
		"docs/schemas/x":     "{}",
		"examples/README.md": "# Examples",
	})
	if err != nil {
		t.Fatal(err)
	}
	for page, wanted := range map[string][]string{
		"index.html":              {`<a href="docs/README.html">`, `<a href="docs/a.html#is-it-b">`, `<a href="examples/README.html">`, "<title>Start</title>"},
		"docs/a.html":             {`<h2 id="part">`, `<h2 id="part-1">`, `<h2 id="is-it-b">`, `<a href="#part-1">`, `href="../style.css"`, `aria-current="page">The a</a>`},
		"docs/README.html":        {`<a href="a.html#part">`, `<a href="schemas/index.html">`, "<h2>Guides</h2>"},
		"docs/schemas/index.html": {`<a href="x">x</a>`},
		"docs/p.png":              {"picture"},
	} {
		for _, want := range wanted {
			if !strings.Contains(string(pages[page]), want) {
				t.Errorf("%s lacks %s:\n%s", page, want, pages[page])
			}
		}
	}
	if page := string(pages["docs/a.html"]); strings.Contains(page, "<b>") || strings.Count(page, `<a href="../docs/a.html"`) != 1 {
		t.Errorf("raw HTML, or a page that is not once in the navigation:\n%s", page)
	}
}

func TestBrokenLinks(t *testing.T) {
	_, err := made(t, map[string]string{
		"docs/README.md": "# Index\n\n[a](a.md) [b](b.md) [c](a.md#nothing) ![d](d.png) [e](x#part)", "docs/a.md": "# A", "docs/x": "",
	})
	const want = `docs/README.md links to b.md, which does not exist
docs/README.md links to a.md#nothing, which has no such heading
docs/README.md links to d.png, which does not exist
docs/README.md links to x#part, which has no such heading`
	if err == nil || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
	if _, err := made(t, map[string]string{"README.md": ""}); err == nil || !strings.Contains(err.Error(), "has no docs/README.md") {
		t.Errorf("without a table of contents: %v", err)
	}
}

// TestOwn makes the site of this clone.
func TestOwn(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	if err := run("../..", out, nil); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"index.html", "docs/lint.html", "docs/tutorials/not-called.html", "docs/schemas/index.html", "style.css"} {
		if _, err := os.Stat(filepath.Join(out, page)); err != nil {
			t.Error(err)
		}
	}
	if err := run("../..", out, nil); err == nil || !strings.HasSuffix(err.Error(), "is not an empty folder") {
		t.Errorf("into a folder with files: %v", err)
	}
}
