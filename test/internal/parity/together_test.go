package parity

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/harness"
)

const crowds = "at once" // the source of scenarios whose requests are made at the same time

// perCrowd is how many generated scenarios there are for one with 32 to 64
// requests at once, so that these are more than a fifth of the requests that
// are compared.
const perCrowd = 120

// TestTogether takes 32 to 64 requests through the same plugins at once,
// without and with an observer. Every one has to end as it does alone, and as
// upstream has it end.
func TestTogether(t *testing.T) {
	h := newHarness(t)
	shrinking := false
	check(t, max(*cases/perCrowd, 1), func(t *rapid.T) {
		s := generate.Crowd(t)
		found, err := h.Together(t.Context(), &s, harness.Gatehouse, harness.Explained)
		if err != nil {
			t.Fatalf("%v\n%s", err, text(&s))
		}
		if !shrinking { // what is shrunk has been counted
			compared.add(crowds, 1, len(found))
			compared.ask(len(s.Steps), len(s.Steps))
			shrinking = len(found) > 0
		}
		for _, d := range found {
			t.Error(d)
		}
	})
	if alone, together := compared.asked(); alone > enough && 100*together < 20*alone {
		t.Errorf("%d of %d requests were made at the same time as others, want a fifth", together, alone)
	}
}
