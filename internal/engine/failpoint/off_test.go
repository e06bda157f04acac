//go:build !failpoints

package failpoint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"example.com/gatehouse/internal/engine/failpoint"
)

// TestOffCostsNothing: a normal build pays nothing for the points.
func TestOffCostsNothing(t *testing.T) {
	ctx := t.Context()
	allocations := testing.AllocsPerRun(100, func() {
		failpoint.Hit(failpoint.Visit(ctx, "hook"), failpoint.MidBody)
	})
	if allocations != 0 || failpoint.Visit(ctx, "hook") != ctx {
		t.Errorf("%v allocations, and the context %v", allocations, failpoint.Visit(ctx, "hook"))
	}
}

// TestOffIsEmpty: what has no body, or only returns what it was given, is
// always inlined and leaves nothing behind.
func TestOffIsEmpty(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "off.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		functions++
		for _, statement := range f.Body.List {
			if returned, ok := statement.(*ast.ReturnStmt); !ok || len(returned.Results) != 1 || !isName(returned.Results[0]) {
				t.Errorf("%s does something", f.Name)
			}
		}
	}
	if functions != 2 {
		t.Errorf("%d functions, want Hit and Visit", functions)
	}
}

func isName(e ast.Expr) bool {
	_, ok := e.(*ast.Ident)
	return ok
}
