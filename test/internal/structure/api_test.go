package structure

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/api.txt")

// TestAPI compares the exported names of the public packages with
// testdata/api.txt. A change of the list is a change for embedders: review it,
// then run this test with -update.
func TestAPI(t *testing.T) {
	var lines []string
	sources(t, func(path string, fset *token.FileSet, file *ast.File) {
		pkg := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../../../"))
		if !isPublic(pkg) || !ast.FileExports(file) {
			return
		}
		for _, decl := range file.Decls {
			for _, line := range describe(t, fset, decl) {
				lines = append(lines, pkg+": "+line)
			}
		}
	})
	slices.Sort(lines)
	got := strings.Join(slices.Compact(lines), "\n") + "\n"
	const golden = "testdata/api.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the API has changed (-%s +now):\n%s", golden, diff)
	}
}

// isPublic reports whether users may import a package.
func isPublic(pkg string) bool {
	for _, folder := range []string{"internal", "cmd", "examples", "test/integration"} {
		if isUnder(pkg, folder) {
			return false
		}
	}
	return !strings.Contains(pkg, "/internal/")
}

// describe returns a line for each exported name of a declaration: functions
// and methods with their signatures, types with their exported fields and
// methods.
func describe(t *testing.T, fset *token.FileSet, decl ast.Decl) (lines []string) {
	t.Helper()
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if of := receiver(d); of != "" && !ast.IsExported(of) {
			return nil
		}
		d.Body, d.Doc = nil, nil
		return []string{oneLine(t, fset, d)}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					lines = append(lines, d.Tok.String()+" "+name.Name)
				}
			case *ast.TypeSpec:
				lines = append(lines, describeType(t, fset, s)...)
			}
		}
	}
	return lines
}

func describeType(t *testing.T, fset *token.FileSet, s *ast.TypeSpec) []string {
	t.Helper()
	var members *ast.FieldList
	kind := "struct"
	switch of := s.Type.(type) {
	case *ast.StructType:
		members = of.Fields
	case *ast.InterfaceType:
		members, kind = of.Methods, "interface"
	default:
		s.Doc, s.Comment = nil, nil
		return []string{"type " + oneLine(t, fset, s)}
	}
	lines := []string{fmt.Sprintf("type %s %s", s.Name.Name, kind)}
	for _, m := range members.List {
		for _, name := range m.Names {
			lines = append(lines, fmt.Sprintf("type %s %s, %s %s", s.Name.Name, kind, name.Name, oneLine(t, fset, m.Type)))
		}
		if len(m.Names) == 0 {
			lines = append(lines, fmt.Sprintf("type %s %s, embeds %s", s.Name.Name, kind, oneLine(t, fset, m.Type)))
		}
	}
	return lines
}

// oneLine prints a node without line breaks.
func oneLine(t *testing.T, fset *token.FileSet, node any) string {
	t.Helper()
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, node); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("( ", "(", ", )", ")").Replace(strings.Join(strings.Fields(b.String()), " "))
}
