package apiserver

import (
	"context"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gatehouse-apiserver": func() { program.Main(context.Background(), New()) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata", RequireExplicitExec: true, RequireUniqueNames: true,
	})
}
