package promise

import (
	"testing"

	"example.com/gatehouse/test/mutant"
)

// TestSwitchesApply finds promises without a switch, and switches that a change of
// gatehouse has retired.
func TestSwitchesApply(t *testing.T) {
	t.Parallel()
	switches := map[string]bool{}
	for _, s := range Switches() {
		switches[s.Name] = true
	}
	names := map[string]bool{}
	for _, p := range All() {
		if p.Name == "" || p.Says == "" || names[p.Name] {
			t.Errorf("promise %q needs a name of its own and a sentence", p.Name)
		}
		names[p.Name] = true
		if !switches[p.Name] {
			t.Errorf("nothing breaks the promise %q", p.Name)
		}
	}
	const least = 18
	if len(names) < least {
		t.Errorf("%d promises, want at least %d", len(names), least)
	}
	if _, err := mutant.Overlay("../../..", t.TempDir(), Switches()); err != nil {
		t.Error(err)
	}
}
