package mutant

import (
	"testing"

	"example.com/gatehouse/test/internal/mutant"
)

// TestMutantsApply finds mutants that a change of the engine has retired.
func TestMutantsApply(t *testing.T) {
	t.Parallel()
	every := append(All(), Exchanges()...)
	names := map[string]bool{}
	for _, m := range every {
		if names[m.Name] {
			t.Errorf("mutant %q needs a name of its own", m.Name)
		}
		names[m.Name] = true
	}
	const least = 25
	if len(names) < least {
		t.Errorf("%d mutants, want at least %d", len(names), least)
	}
	if _, err := mutant.Overlay("../../../..", t.TempDir(), every); err != nil {
		t.Error(err)
	}
}
