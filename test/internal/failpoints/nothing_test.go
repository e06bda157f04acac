//go:build failpoints

package failpoints

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestNothingIsLeft searches the compiled engine for calls of failpoints. A
// build without the tag has none, so that no embedder can reach one.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	type build struct {
		row
		flags []string
		calls bool
	}
	testtable.Run(t, []build{
		{row{"normal", "the compiler leaves a Hit in a literal of a function that is handed to one that is inlined itself"}, nil, false},
		{row{"with the tag", "without a hit the search itself would be wrong"}, []string{"-tags=failpoints"}, true},
	}, func(t *testing.T, tc build) {
		archive := filepath.Join(t.TempDir(), "dispatcher.a")
		command(t, append([]string{"build", "-o", archive}, append(tc.flags, "../../../dispatcher")...)...)
		symbols := command(t, "tool", "nm", archive)
		for _, function := range []string{"Hit", "Visit"} {
			call := fmt.Appendf(nil, " U example.com/gatehouse/internal/engine/failpoint.%s\n", function)
			if bytes.Contains(symbols, call) != tc.calls {
				t.Errorf("calls of %s: %v, want %v", function, !tc.calls, tc.calls)
			}
		}
	})
}

// command returns what the go command prints.
func command(t *testing.T, arguments ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", arguments...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", arguments, err, out)
	}
	return out
}
