package formats

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	// It is not used, but read.
	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestSARIF(t *testing.T) {
	t.Parallel()
	schema := standard(t)
	testtable.Run(t, useCases(), func(t *testing.T, tc useCase) { hold(t, schema, tc.produce(t, "sarif")) })
}

// TestSARIFRefuses what is not quite SARIF.
func TestSARIFRefuses(t *testing.T) {
	t.Parallel()
	schema := standard(t)
	for _, text := range []string{
		`{"version":"2.2.0","runs":[]}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{}}}]}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"x"},"level":"must"}]}]}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"x"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"%zz"}}}]}]}]}`,
	} {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(document) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}

// standard returns the schema of SARIF 2.1.0. Package sarif holds it in a
// constant that it does not export, and would only hold its own types against
// it: so it is read.
func standard(t *testing.T) *jsonschema.Schema {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(folder)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	value := file.Scope.Lookup("schema").Decl.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value
	text, err := strconv.Unquote(value)
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, "sarif", []byte(text))
}
