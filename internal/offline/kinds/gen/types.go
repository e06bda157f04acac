package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// types describes the kinds in a folder of k8s.io/api.
type types struct {
	group string
	// markers are the comments above each type, by its name.
	markers map[string]string
	// removed is the minor release of Kubernetes 1 in which a type is no longer
	// served; kinds that stay are absent.
	removed map[string]int
}

func readTypes(folder string) (*types, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	t := &types{markers: map[string]string{}, removed: map[string]int{}}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		t.read(syntax)
	}
	if len(t.markers) == 0 {
		return nil, fmt.Errorf("%s holds no types", folder)
	}
	return t, nil
}

// read takes the declarations one after the other, because markers may stand in
// a comment of their own between the previous declaration and the type's.
func (t *types) read(file *ast.File) {
	previous := file.Name.End()
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			comment := between(file, previous, decl.Pos())
			for _, spec := range decl.Specs {
				t.readSpec(spec, comment)
			}
		case *ast.FuncDecl:
			t.readLifecycle(decl)
		}
		previous = decl.End()
	}
}

func between(file *ast.File, from, to token.Pos) string {
	var text strings.Builder
	for _, group := range file.Comments {
		if group.Pos() < from || group.End() > to {
			continue
		}
		for _, line := range group.List {
			text.WriteString(line.Text + "\n")
		}
	}
	return text.String()
}

func (t *types) readSpec(spec ast.Spec, comment string) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		t.markers[spec.Name.Name] = comment
	case *ast.ValueSpec:
		if spec.Names[0].Name == "GroupName" && len(spec.Values) == 1 {
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
				t.group = strings.Trim(literal.Value, `"`)
			}
		}
	}
}

// readLifecycle looks for
//
//	func (in *Ingress) APILifecycleRemoved() (major, minor int) { return 1, 22 }
func (t *types) readLifecycle(f *ast.FuncDecl) {
	if f.Name.Name != "APILifecycleRemoved" || f.Recv == nil || len(f.Body.List) != 1 {
		return
	}
	receiver, isPointer := f.Recv.List[0].Type.(*ast.StarExpr)
	result, isReturn := f.Body.List[0].(*ast.ReturnStmt)
	if !isPointer || !isReturn || len(result.Results) != 2 {
		return
	}
	name, isName := receiver.X.(*ast.Ident)
	minor, isLiteral := result.Results[1].(*ast.BasicLit)
	if !isName || !isLiteral {
		return
	}
	if n, err := strconv.Atoi(minor.Value); err == nil {
		t.removed[name.Name] = n
	}
}
