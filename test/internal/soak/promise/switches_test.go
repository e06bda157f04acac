package promise

import (
	"regexp"
	"testing"

	"example.com/gatehouse/test/internal/mutant"
)

// TestPromises finds promises with duplicate names, and promises without a
// switch.
func TestPromises(t *testing.T) {
	t.Parallel()
	switches := map[string]bool{}
	for _, s := range Switches() {
		switches[s.Promise] = true
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
}

// TestSwitchesApply finds switches that belong to no promise, and those that a
// change of gatehouse has retired.
func TestSwitchesApply(t *testing.T) {
	t.Parallel()
	without := map[string]bool{}
	for _, p := range All() {
		without[p.Name] = true
	}
	for _, s := range Switches() {
		if !without[s.Promise] {
			t.Errorf("switch %q: there is no such promise, or it has one already", s.Promise)
		}
		delete(without, s.Promise)
		if _, err := regexp.Compile(s.Shows); err != nil || s.Shows == "" {
			t.Errorf("switch %q: the evidence is to show %q: %v", s.Promise, s.Shows, err)
		}
	}
	if _, err := mutant.Overlay("../../../..", t.TempDir(), Mutants()); err != nil {
		t.Error(err)
	}
}
