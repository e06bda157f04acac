package structure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	maxFunction = 60  // lines; a longer one is two functions
	maxFile     = 400 // lines; a longer one is two concepts
)

// sources calls visit for every Go file of the module that is neither a test
// nor generated.
func sources(t *testing.T, visit func(path string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name != "../../.." && (name == "testdata" || strings.HasPrefix(name, ".") && name != "..") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if !ast.IsGenerated(file) {
			visit(path, fset, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryPackageHasADocFile(t *testing.T) {
	sources(t, func(path string, _ *token.FileSet, file *ast.File) {
		if file.Name.Name == "main" {
			return
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "doc.go")); err != nil {
			t.Errorf("%s: its package has no doc.go", path)
		}
		if filepath.Base(path) == "doc.go" && file.Doc == nil {
			t.Errorf("%s: no package comment", path)
		}
	})
}

func TestExportedNamesAreDocumented(t *testing.T) {
	sources(t, func(path string, fset *token.FileSet, file *ast.File) {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && onExportedType(d) && d.Doc == nil {
					t.Errorf("%s: %s has no comment", fset.Position(d.Pos()), d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkSpec(t, fset, d, spec)
				}
			}
		}
	})
}

// onExportedType reports whether a function is one that users of the package
// can see: no method, or a method of a type that they can name.
func onExportedType(d *ast.FuncDecl) bool {
	return d.Recv == nil || ast.IsExported(receiver(d))
}

// receiver returns the name of the type that a function is a method of; empty
// if it is none.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if generic, ok := expr.(*ast.IndexExpr); ok {
		expr = generic.X
	}
	if name, ok := expr.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

func checkSpec(t *testing.T, fset *token.FileSet, d *ast.GenDecl, spec ast.Spec) {
	t.Helper()
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
			t.Errorf("%s: %s has no comment", fset.Position(s.Pos()), s.Name)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				t.Errorf("%s: %s has no comment", fset.Position(s.Pos()), name)
			}
		}
	}
}

func TestFilesAndFunctionsAreShort(t *testing.T) {
	sources(t, func(path string, fset *token.FileSet, file *ast.File) {
		if lines := fset.Position(file.End()).Line; lines > maxFile {
			t.Errorf("%s has %d lines", path, lines)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > maxFunction {
					t.Errorf("%s: %s has %d lines", fset.Position(f.Pos()), f.Name, n)
				}
			}
		}
	})
}

// fact finds the numbers of docs/semantics.md in comments and tests.
var fact = regexp.MustCompile(`\b[SR]-\d{3}[a-z]?\b`)

// TestCitedFactsAreListed looks in docs/semantics.md for the numbers that Go
// files cite, and for that page in the comments of packages that cite some.
func TestCitedFactsAreListed(t *testing.T) {
	page := strings.Join(linesOf(t, "docs/semantics.md"), "\n")
	for _, path := range tracked(t, "*.go") {
		if path == "test/internal/parity/catalogue_problems_test.go" {
			continue // its numbers are made up
		}
		for n, line := range linesOf(t, path) {
			for _, number := range fact.FindAllString(line, -1) {
				if !strings.Contains(page, "\n- **"+number+"** ") {
					t.Errorf("%s:%d: %s is not in docs/semantics.md", path, n+1, number)
				}
			}
		}
	}
	cites, refers := citingPackages(t)
	for folder, cited := range cites {
		if cited && !refers[folder] {
			t.Errorf("%s: its package comment does not name docs/semantics.md", folder)
		}
	}
}

// citingPackages returns, for each folder with a package for users, whether its
// comments cite facts, and whether its package comment names docs/semantics.md.
func citingPackages(t *testing.T) (cites, refers map[string]bool) {
	t.Helper()
	cites, refers = map[string]bool{}, map[string]bool{}
	sources(t, func(path string, _ *token.FileSet, file *ast.File) {
		folder := filepath.Dir(strings.TrimPrefix(filepath.ToSlash(path), "../../../"))
		if isUnder(folder, "internal") || isUnder(folder, "test") {
			return
		}
		for _, comment := range file.Comments {
			cites[folder] = cites[folder] || fact.MatchString(comment.Text())
		}
		refers[folder] = refers[folder] || strings.Contains(file.Doc.Text(), "docs/semantics.md")
	})
	return cites, refers
}

// TestContextsArePassedIn finds contexts that come from nowhere: the caller's
// deadline and cancellation would end there. controller-runtime's
// Environment.Start has no context to pass on.
func TestContextsArePassedIn(t *testing.T) {
	sources(t, func(path string, fset *token.FileSet, file *ast.File) {
		if file.Name.Name == "main" || strings.HasSuffix(path, "test/envtest/environment.go") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "context" && (s.Sel.Name == "Background" || s.Sel.Name == "TODO") {
				t.Errorf("%s: context.%s outside of main and tests", fset.Position(s.Pos()), s.Sel.Name)
			}
			return true
		})
	})
}
