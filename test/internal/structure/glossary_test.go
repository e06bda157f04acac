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

// TestArchitecture finds Go names, paths and make targets in docs/architecture.md that do
// not exist.
func TestArchitecture(t *testing.T) {
	page, err := os.ReadFile("../../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	declared := declarations(t)
	goName := regexp.MustCompile(`^[a-z]+\.[A-Za-z]`)
	names := 0
	for _, match := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(page), -1) {
		name := match[1]
		target, isTarget := strings.CutPrefix(name, "make ")
		_, statErr := os.Stat(filepath.Join("../../..", name))
		switch {
		case strings.HasPrefix(name, "k8s.io/"):
			continue
		case isTarget && !strings.Contains(string(makefile), "\n"+target+":"):
			t.Errorf("the Makefile has no target %s", target)
		case strings.Contains(name, "/") && statErr != nil:
			t.Errorf("there is no %s", name)
		case goName.MatchString(name) && !declared[name]:
			t.Errorf("no package declares %s", name)
		}
		names++
	}
	const least = 60
	if names < least {
		t.Errorf("the page has %d names, want at least %d", names, least)
	}
}

func fieldNames(s *ast.StructType) (names []string) {
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// declarations returns what the packages of the module declare, as PACKAGE.NAME,
// PACKAGE.TYPE.METHOD and PACKAGE.TYPE.FIELD.
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
						if fields, ok := s.Type.(*ast.StructType); ok {
							for _, name := range fieldNames(fields) {
								declared[pkg+s.Name.Name+"."+name] = true
							}
						}
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
