package structure

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recovering are the folders that may call recover: internal/engine/guard,
// which the library uses, and those that are not the library.
var recovering = []string{
	"internal/engine/guard", "cmd", "examples", "internal/apiserver", "internal/cli", "internal/conformance",
	"internal/offline", "internal/suite", "internal/testutil", "test",
}

// TestGuardRecovers keeps the recovery of panics in one package of the library.
func TestGuardRecovers(t *testing.T) {
	t.Parallel()
	seen := false
	sources(t, func(path string, fset *token.FileSet, file *ast.File) {
		folder, err := filepath.Rel("../../..", filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		allowed := slices.ContainsFunc(recovering, func(f string) bool { return isUnder(folder, f) })
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "recover" {
				seen = seen || strings.HasSuffix(folder, "guard")
				if !allowed {
					t.Errorf("%s: recover; use internal/engine/guard", fset.Position(call.Pos()))
				}
			}
			return true
		})
	})
	if !seen {
		t.Error("internal/engine/guard does not recover")
	}
}
