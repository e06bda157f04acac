package cli

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/yaml"
)

// step writes the script of a step of action.yml to a file.
func step(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: step NAME FILE")
	}
	text, err := os.ReadFile("../../action.yml")
	ts.Check(err)
	var action struct {
		Runs struct{ Steps []struct{ Name, Run string } }
	}
	ts.Check(yaml.Unmarshal(text, &action))
	for _, s := range action.Runs.Steps {
		if s.Name == args[0] {
			ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(s.Run), 0o600))
			return
		}
	}
	ts.Fatalf("the action has no step %q", args[0])
}
