package serve_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/gatehouse/internal/testutil/process"
)

// TestKubectlPages runs the scripts in testdata/pages, whose policies are for all
// namespaces, on a server of their own. They find the policies in $WORK/pages. One kubectl
// is enough: the server runs the policies, and TestKubectl has the errors that each kubectl
// prints.
func TestKubectlPages(t *testing.T) {
	t.Parallel()
	kubectl := anyKubectl(t)
	s := process.Start(t, binary, "--quiet")
	s.Config(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/pages",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(kubectl)+string(filepath.ListSeparator)+env.Getenv("PATH"))
			pages := os.DirFS("../../../internal/cli/testdata/pages")
			return errors.Join(enter(env, s), os.CopyFS(filepath.Join(env.WorkDir, "pages"), pages))
		},
	})
}
