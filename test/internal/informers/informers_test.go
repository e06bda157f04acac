package informers

import (
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// runAlone returns what a run of gatehouse's sources finds.
func runAlone(t *testing.T, steps []Step, side Side) (report Report) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		reports, err := Run(t.Context(), steps, side)
		if err != nil {
			t.Fatal(err)
		}
		report = reports[0]
	})
	return report
}

// TestDrawn has several faults, restarts and changes follow each other.
func TestDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		steps := rapid.SliceOfN(rapid.Custom(drawStep), 1, 12).Draw(r, "steps")
		for _, v := range runAlone(t, steps, Gatehouse()).Violations {
			r.Error(v)
		}
	})
}

func drawStep(r *rapid.T) Step {
	var s Step
	if rapid.Bool().Draw(r, "fails") {
		s.Fail = rapid.SampledFrom(append(Faults(), Healthy, Healthy)).Draw(r, "fault")
	}
	s.Restart = rapid.IntRange(0, 3).Draw(r, "restarts") == 0
	s.Compact = rapid.IntRange(0, 3).Draw(r, "compacts") == 0
	s.Write = rapid.SliceOfN(rapid.Custom(drawWrite), 0, 6).Draw(r, "writes")
	s.Wait = rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second, time.Minute, 5 * time.Minute}).Draw(r, "wait")
	return s
}

func drawWrite(r *rapid.T) Write {
	return Write{
		Resource: rapid.SampledFrom([]Resource{Mutating, Validating,
			Policies, Namespaces}).Draw(r, "resource"),
		Slot: rapid.IntRange(0, 3).Draw(r, "slot"),
		Kind: rapid.SampledFrom([]WriteKind{Put, Put, Delete, Rename}).Draw(r, "kind"),
	}
}
