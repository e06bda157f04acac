package structure

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// matchingImports are what package matching may import of the module and of
// Kubernetes: nothing that calls the network, reads a clock or logs.
var matchingImports = []string{
	module + "/admission", module + "/internal/cel",
	"k8s.io/api/admission/v1", "k8s.io/api/admissionregistration/v1", "k8s.io/api/core/v1",
	"k8s.io/apimachinery/pkg/api/errors", "k8s.io/apimachinery/pkg/api/meta", "k8s.io/apimachinery/pkg/apis/meta/v1",
	"k8s.io/apimachinery/pkg/labels", "k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/runtime/schema",
	"k8s.io/apimachinery/pkg/util/errors",
	"k8s.io/apiserver/pkg/admission", "k8s.io/apiserver/pkg/admission/plugin/cel", "k8s.io/apiserver/pkg/apis/cel",
	"k8s.io/apiserver/pkg/authorization/authorizer", "k8s.io/apiserver/pkg/cel", "k8s.io/apiserver/pkg/cel/common",
	"k8s.io/apiserver/pkg/cel/library",
	"github.com/google/cel-go/common/types", "github.com/google/cel-go/common/types/ref", "github.com/google/cel-go/interpreter",
}

// callbacks are what the exported API of package matching may call: a clock.
var callbacks = []string{"Input.Now"}

// TestMatchingIsPure checks the package comment of matching.
func TestMatchingIsPure(t *testing.T) {
	for _, path := range list(t)["matching"].Imports {
		if standard := !strings.Contains(strings.SplitN(path, "/", 2)[0], "."); !standard && !slices.Contains(matchingImports, path) {
			t.Errorf("matching imports %s", path)
		}
	}
	seen := 0
	sources(t, func(path string, _ *token.FileSet, file *ast.File) {
		if filepath.Base(filepath.Dir(path)) != "matching" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch d := n.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() {
					seen++
					checkCallbacks(t, d.Name.Name, d.Type.Params)
				}
			case *ast.TypeSpec:
				if s, ok := d.Type.(*ast.StructType); ok && d.Name.IsExported() {
					seen++
					checkCallbacks(t, d.Name.Name, s.Fields)
				}
			}
			return true
		})
	})
	if seen == 0 {
		t.Error("matching exports nothing")
	}
}

// checkCallbacks reports exported fields, and parameters, that are functions.
func checkCallbacks(t *testing.T, of string, fields *ast.FieldList) {
	t.Helper()
	for _, f := range fields.List {
		if _, ok := f.Type.(*ast.FuncType); !ok {
			continue
		}
		for _, name := range f.Names {
			if name := of + "." + name.Name; !slices.Contains(callbacks, name) {
				t.Errorf("%s is a callback", name)
			}
		}
	}
}
