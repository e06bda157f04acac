package tally_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/gatehouse/test/internal/soak/tally"
)

func TestQuantilesOfKnownDurations(t *testing.T) {
	t.Parallel()
	var d tally.Durations
	if got := d.Quantile(0.999); got != 0 {
		t.Errorf("of none: %s", got)
	}
	for i := range 1000 {
		d.Add(time.Duration(i+1) * time.Millisecond)
	}
	for q, want := range map[float64]time.Duration{0: 1, 0.001: 1, 0.5: 500, 0.99: 990, 0.999: 999, 1: 1000} {
		want *= time.Millisecond
		if got := d.Quantile(q); got < want || got > want+want/50 {
			t.Errorf("quantile %v of 1 to 1000 ms: want %s, got %s", q, want, got)
		}
	}
	if d.Count() != 1000 || d.Longest() != time.Second {
		t.Errorf("count %d, longest %s", d.Count(), d.Longest())
	}
}

// TestQuantilesAgainstSorting compares with quantiles of the sorted values,
// over all magnitudes.
func TestQuantilesAgainstSorting(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var d tally.Durations
		var all []time.Duration
		for range 1 + random.IntN(50) {
			one := time.Duration(random.Uint64() >> (1 + random.IntN(63)))
			d.Add(one)
			all = append(all, one)
		}
		slices.Sort(all)
		q := random.Float64()
		want := all[max(1, int(math.Ceil(q*float64(len(all)))))-1]
		if got := d.Quantile(q); got < want || got-want > want/50 {
			t.Fatalf("quantile %v of %v: want %d, got %d", q, all, want, got)
		}
	}
}

func TestExtremeDurations(t *testing.T) {
	t.Parallel()
	var d tally.Durations
	d.Add(-time.Second)
	if d.Quantile(1) != 0 {
		t.Errorf("a negative duration counts as %s", d.Quantile(1))
	}
	d.Add(math.MaxInt64)
	if d.Quantile(1) != math.MaxInt64 || d.Longest() != math.MaxInt64 {
		t.Errorf("the longest is %s", d.Quantile(1))
	}
}

func TestManyMayAdd(t *testing.T) {
	t.Parallel()
	var d tally.Durations
	var f tally.Findings
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 1000 {
				d.Add(time.Duration(i) * time.Millisecond)
				f.Add("%d", i)
				_, _ = d.Quantile(0.5), f.Texts()
			}
		})
	}
	all.Wait()
	if d.Count() != 8000 || f.Count() != 8000 || d.Longest() != 7*time.Millisecond {
		t.Errorf("%d durations, %d findings, longest %s", d.Count(), f.Count(), d.Longest())
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	var f tally.Findings
	if f.Count() != 0 || f.Texts() != nil {
		t.Errorf("a new one has %d: %q", f.Count(), f.Texts())
	}
	f.Add("%s is %d", "it", 7)
	if got := f.Texts(); !slices.Equal(got, []string{"it is 7"}) {
		t.Errorf("got %q", got)
	}
	f.Add("%s", strings.Repeat("x", 5000))
	if got := f.Texts()[1]; len(got) > 1100 || !strings.HasSuffix(got, "… (5000 bytes)") {
		t.Errorf("a long text became %q", got)
	}
	for range tally.Kept {
		f.Add("again")
	}
	texts := f.Texts()
	if len(texts) != tally.Kept+1 || texts[tally.Kept] != "and 2 more like these" || f.Count() != tally.Kept+2 {
		t.Errorf("%d findings, last text %q", f.Count(), texts[len(texts)-1])
	}
}

// TestFindingsKeptWhole: findings at the end of a run are kept, however many
// came before.
func TestFindingsKeptWhole(t *testing.T) {
	t.Parallel()
	var f tally.Findings
	long := strings.Repeat("x", 5000)
	f.AddWhole("left: %s", long)
	if got := f.Texts(); !slices.Equal(got, []string{"left: " + long}) || f.Count() != 1 {
		t.Errorf("%d findings: %q", f.Count(), got)
	}
	for range tally.Kept + 2 {
		f.Add("again")
	}
	texts := f.Texts()
	want := []string{"again", "and 2 more like these", "left: " + long}
	if len(texts) != tally.Kept+2 || !slices.Equal(texts[tally.Kept-1:], want) || f.Count() != tally.Kept+3 {
		t.Errorf("%d findings: %q", f.Count(), texts)
	}
}
