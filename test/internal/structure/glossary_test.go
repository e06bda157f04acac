package structure

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGlossary finds Go names in docs/glossary.md that no package declares.
func TestGlossary(t *testing.T) {
	page, err := os.ReadFile("../../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := declarations(t)
	names := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			continue
		}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1) {
			names++
			if !declared[name[1]] {
				t.Errorf("%s: no package declares %s", strings.TrimSpace(cells[1]), name[1])
			}
		}
	}
	const words = 25
	if names < words {
		t.Errorf("the page has %d Go names, want at least one for each of %d words", names, words)
	}
}

// declarations returns what the packages of the module declare, as PACKAGE.NAME and
// PACKAGE.TYPE.METHOD.
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	declared := map[string]bool{}
	sources(t, func(path string, _ *token.FileSet, file *ast.File) {
		pkg := filepath.Base(filepath.Dir(path)) + "."
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if of := receiver(d); of != "" {
					name = of + "." + name
				}
				declared[pkg+name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						declared[pkg+s.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range s.Names {
							declared[pkg+name.Name] = true
						}
					}
				}
			}
		}
	})
	return declared
}
