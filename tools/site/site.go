package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// contents is the page whose lists are the navigation.
const contents = "docs/README.md"

var (
	//go:embed page.html.tmpl
	frame string
	//go:embed style.css
	style []byte

	layout = template.Must(template.New("page").Parse(frame))
	// markdown reads what code hosts do. Raw HTML is left out.
	markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Linkify))
)

// site is the documentation of a clone.
type site struct {
	source string
	// files has each file and folder of the clone.
	files map[string]bool
	// documents are the Markdown files, by their path.
	documents map[string]*document
	parts     []part
	// copied are the files that pages link to.
	copied map[string]bool
	// lists are pages with the files of folders that pages link to.
	lists []*document
}

// document is a Markdown file.
type document struct {
	path, title string
	content     []byte
	root        ast.Node
	anchors     map[string]bool
}

// read parses the Markdown files of a clone.
func read(source string, files []string) (*site, error) {
	s := &site{
		source: source, files: map[string]bool{}, documents: map[string]*document{},
		copied: map[string]bool{},
	}
	for _, file := range files {
		for parent := file; parent != "."; parent = path.Dir(parent) {
			s.files[parent] = true
		}
		if path.Ext(file) != ".md" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		s.documents[file] = parse(file, content)
	}
	if s.documents[contents] == nil {
		return nil, fmt.Errorf("%s has no %s", source, contents)
	}
	s.parts = s.navigation() // before links are made to lead to pages
	return s, nil
}

// parse parses a Markdown file, and gives its headings the anchors that code hosts give them.
func parse(file string, content []byte) *document {
	d := &document{path: file, title: file, content: content, anchors: map[string]bool{}}
	d.root = markdown.Parser().Parse(text.NewReader(content))
	for node := d.root.FirstChild(); node != nil; node = node.NextSibling() {
		heading, ok := node.(*ast.Heading)
		if !ok {
			continue
		}
		words := plain(heading, content)
		id := anchor(words)
		for n := 1; d.anchors[id]; n++ {
			id = fmt.Sprintf("%s-%d", anchor(words), n)
		}
		heading.SetAttributeString("id", []byte(id))
		d.anchors[id] = true
		if heading.Level == 1 {
			d.title = words
		}
	}
	return d
}

// plain returns the text of a node without markup.
func plain(node ast.Node, content []byte) string {
	var words strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			words.Write(t.Value(content))
			if t.SoftLineBreak() {
				words.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return words.String()
}

// anchor returns the anchor of a heading.
func anchor(words string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
			return r
		}
		return -1
	}, strings.ToLower(words))
}

// render returns the files of the site by their paths.
func (s *site) render() (map[string][]byte, error) {
	rendered := map[string][]byte{"style.css": style}
	var problems []error
	for _, file := range slices.Sorted(maps.Keys(s.documents)) {
		d := s.documents[file]
		problems = append(problems, s.follow(d)...)
		content, err := s.page(d)
		if err != nil {
			return nil, err
		}
		rendered[address(file)] = content
	}
	for _, d := range s.lists {
		content, err := s.page(d)
		if err != nil {
			return nil, err
		}
		rendered[address(d.path)] = content
	}
	for file := range s.copied {
		content, err := os.ReadFile(filepath.Join(s.source, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		rendered[file] = content
	}
	rendered["index.html"] = rendered["README.html"]
	return rendered, errors.Join(problems...)
}

// page renders a document with the navigation.
func (s *site) page(d *document) ([]byte, error) {
	var body, out bytes.Buffer
	if err := markdown.Renderer().Render(&body, d.content, d.root); err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	up := strings.Repeat("../", strings.Count(d.path, "/"))
	err := layout.Execute(&out, map[string]any{
		"Title": d.title, "Up": up, "Body": template.HTML(body.String()), "Parts": shownOn(d, up, s.parts),
	})
	return out.Bytes(), err
}

// part is a part of the navigation: a heading of the table of contents, and its pages.
type part struct {
	Title string
	Links []link
}

type link struct {
	Title, Address string
	Here           bool
}

// navigation returns the parts of the table of contents. Each page that it links to is in
// them once, with its path in place of its address.
func (s *site) navigation() []part {
	var parts []part
	seen := map[string]bool{}
	toc := s.documents[contents]
	_ = ast.Walk(toc.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if title, _, _ := strings.Cut(plain(n, toc.content), ":"); n.Level == 2 {
				parts = append(parts, part{Title: title})
			}
		case *ast.Link:
			target := s.documents[targetOf(toc, string(n.Destination))]
			if target == nil || seen[target.path] || len(parts) == 0 {
				return ast.WalkContinue, nil
			}
			seen[target.path] = true
			last := &parts[len(parts)-1]
			last.Links = append(last.Links, link{Title: target.title, Address: target.path})
		}
		return ast.WalkContinue, nil
	})
	return parts
}

// shownOn returns parts as a document shows them, up folders below the root.
func shownOn(d *document, up string, parts []part) []part {
	var shown []part
	for _, p := range parts {
		links := slices.Clone(p.Links)
		for i, l := range links {
			links[i] = link{Title: l.Title, Address: up + address(l.Address), Here: l.Address == d.path}
		}
		shown = append(shown, part{Title: p.Title, Links: links})
	}
	return shown
}

// address returns the path of the page of a Markdown file.
func address(file string) string { return strings.TrimSuffix(file, ".md") + ".html" }

// follow checks the links of a document, and makes those to documents lead to their pages.
func (s *site) follow(d *document) []error {
	var problems []error
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var destination *[]byte
		switch n := n.(type) {
		case *ast.Link:
			destination = &n.Destination
		case *ast.Image:
			destination = &n.Destination
		default:
			return ast.WalkContinue, nil
		}
		led, err := s.lead(d, string(*destination))
		if err != nil {
			problems = append(problems, err)
		}
		*destination = []byte(led)
		return ast.WalkContinue, nil
	})
	return problems
}

// lead returns where a link leads on the site.
func (s *site) lead(d *document, destination string) (string, error) {
	if strings.Contains(destination, "://") {
		return destination, nil
	}
	file, fragment := targetOf(d, destination), ""
	if _, after, found := strings.Cut(destination, "#"); found {
		fragment = "#" + after
	}
	target := s.documents[file]
	switch {
	case !s.files[file]:
		return "", fmt.Errorf("%s links to %s, which does not exist", d.path, destination)
	case fragment != "" && (target == nil || !target.anchors[fragment[1:]]):
		return "", fmt.Errorf("%s links to %s, which has no such heading", d.path, destination)
	case target == nil && s.documents[file+"/README.md"] != nil:
		return destination + "/README.html", nil
	case target == nil:
		return s.copy(file, destination)
	case target == d:
		return fragment, nil
	}
	before, _, _ := strings.Cut(destination, "#")
	return address(before) + fragment, nil
}

// copy takes a file, or a folder with a list of its files, into the site, and returns the
// destination of a link to it.
func (s *site) copy(file, destination string) (string, error) {
	entries, err := os.ReadDir(filepath.Join(s.source, filepath.FromSlash(file)))
	if errors.Is(err, syscall.ENOTDIR) {
		s.copied[file] = true
		return destination, nil
	}
	list := "# " + path.Base(file) + "\n\n"
	for _, entry := range entries {
		if name := path.Join(file, entry.Name()); s.files[name] && !entry.IsDir() {
			s.copied[name] = true
			list += "- [" + entry.Name() + "](" + entry.Name() + ")\n"
		}
	}
	s.lists = append(s.lists, parse(file+"/index.md", []byte(list)))
	return destination + "/index.html", err
}

// targetOf returns the file that a link of a document leads to.
func targetOf(d *document, destination string) string {
	file, _, _ := strings.Cut(destination, "#")
	if file == "" {
		return d.path
	}
	return path.Join(path.Dir(d.path), file)
}
