package parity

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

const drawn = "generated" // the source of scenarios that are drawn at random

// TestGenerated compares the sides on scenarios drawn at random, and explanations
// with what happened: explaining must not change anything, so that side is
// compared with upstream as the others are. A scenario that fails is shrunk to the
// smallest that still does, and printed; -rapid.seed repeats a run.
func TestGenerated(t *testing.T) {
	h := newHarness(t)
	var seen statistics
	var explained explanations
	h.Watch(func(side harness.Side, o *harness.Observation) {
		seen.watch(side, o)
		explained.watch(side, o)
	})
	shrinking := false
	check(t, *cases, func(t *rapid.T) {
		s := generate.Scenario(t)
		seen.about, explained.failures = &s, nil
		found, err := h.Run(t.Context(), &s, harness.Gatehouse, harness.Exact, harness.Explained)
		if err != nil {
			t.Fatalf("%v\n%s", err, text(&s))
		}
		if !shrinking { // what is shrunk has been counted
			differences := len(found) + len(explained.failures)
			compared.add(drawn, 1, differences)
			compared.ask(len(s.Steps), 0)
			shrinking = differences > 0
		}
		for _, d := range found {
			t.Error(d)
		}
		for _, f := range explained.failures {
			t.Error(f)
		}
		if t.Failed() {
			t.Logf("the scenario:\n%s", text(&s))
		}
	})
	compared.say("%s", &seen)
	compared.say("%s", &explained)
	if *cases < enough || t.Failed() {
		return
	}
	if explained.called == 0 || explained.skipped == 0 || explained.changed == 0 {
		t.Errorf("something never happened: %s", &explained)
	}
	for name := range seen.occurrences() {
		if got := seen.share(name); got < least(name, *cases) {
			t.Errorf("%.1f %% of the generated requests have %s, want at least %.0f %%", got, name, least(name, *cases))
		}
	}
}

// enough is from how many cases on shares mean something.
const enough = 1000

// check is rapid.Check with the given number of cases and without writing fail
// files.
func check(t *testing.T, cases int, property func(*rapid.T)) {
	t.Helper()
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(cases), "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, property)
}

// text is a scenario as it would be written by hand.
func text(s *scenario.Scenario) string {
	written, err := yaml.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(written)
}
