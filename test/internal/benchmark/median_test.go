package main

import (
	"math"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type testRow = testtable.Row

type medianCase struct {
	testRow
	values []float64
	want   float64
}

func TestMedian(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []medianCase{
		{testRow{"none", "what was not measured must not look like a measured zero"}, nil, math.NaN()},
		{testRow{"one", "a single round is allowed"}, []float64{7}, 7},
		{testRow{"odd", "samples come in the order of the rounds"}, []float64{9, 1, 5}, 5},
		{testRow{"even", "ten rounds are the default"}, []float64{4, 1, 3, 100}, 3.5},
	}, func(t *testing.T, tc medianCase) {
		if got := median(tc.values); got != tc.want && !(math.IsNaN(got) && math.IsNaN(tc.want)) {
			t.Errorf("want %v, got %v", tc.want, got)
		}
	})
}

// measured is samples with the given values of a unit.
func measured(u unit, of map[side][]float64) samples {
	s := samples{}
	for one, values := range of {
		for _, v := range values {
			s[one] = append(s[one], sample{1, map[unit]float64{u: v}})
		}
	}
	return s
}

type ratioCase struct {
	testRow
	unit                unit
	upstream, gatehouse []float64
	want                float64
}

func TestRatio(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []ratioCase{
		{testRow{"of medians", "one slow round must not decide"}, timePerOp, []float64{10, 20, 900}, []float64{5, 4, 3}, 5},
		{testRow{"more is better", "a ratio above one is always in gatehouse's favour"}, throughput, []float64{100}, []float64{300}, 3},
		{testRow{"worse", "a ratio below one is not"}, bytesPerOp, []float64{10}, []float64{40}, 0.25},
		{testRow{"nothing", "no allocations at all are infinitely fewer"}, allocsPerOp, []float64{4}, []float64{0}, math.Inf(1)},
		{testRow{"both nothing", "and as good as none"}, allocsPerOp, []float64{0}, []float64{0}, 1},
		{testRow{"alone", "there is nothing to compare with"}, timePerOp, nil, []float64{3}, math.NaN()},
	}, func(t *testing.T, tc ratioCase) {
		f := measured(tc.unit, map[side][]float64{upstream: tc.upstream, gatehouse: tc.gatehouse}).figure(tc.unit)
		if f.ratio != tc.want && !(math.IsNaN(f.ratio) && math.IsNaN(tc.want)) {
			t.Errorf("want %v, got %v", tc.want, f.ratio)
		}
	})
}

type boundCase struct {
	testRow
	bound               bound
	upstream, gatehouse []float64
	met                 bool
	text                string
}

func TestFloor(t *testing.T) {
	t.Parallel()
	none := []float64(nil)
	testtable.Run(t, []boundCase{
		{testRow{"ratio reached", "a bound is part of what is good enough"}, bound{timePerOp, timesBetter, 5}, []float64{50}, []float64{10}, true, "ns/op ratio ≥ 5"},
		{testRow{"ratio missed", "and a little less is not"}, bound{timePerOp, timesBetter, 5}, []float64{49}, []float64{10}, false, "ns/op ratio ≥ 5 (it is 4.9)"},
		{testRow{"not compared", "a ratio without upstream is none"}, bound{timePerOp, timesBetter, 5}, none, []float64{10}, false, "ns/op ratio ≥ 5 (it is -)"},
		{testRow{"median small enough", "one round may be above"}, bound{timePerOp, atMost, 2e6}, none, []float64{1e6, 2e6, 9e9}, true, "ns/op ≤ 2ms"},
		{testRow{"median too large", "times are written for people"}, bound{timePerOp, atMost, 2e6}, none, []float64{2.5e6}, false, "ns/op ≤ 2ms (it is 2.5ms)"},
		{testRow{"large enough", "more cores shall do more"}, bound{speedup, atLeast, 1.8}, none, []float64{1.8}, true, "times-faster ≥ 1.8"},
		{testRow{"not large enough", "more cores shall do more"}, bound{speedup, atLeast, 1.8}, none, []float64{1.7}, false, "times-faster ≥ 1.8 (it is 1.7)"},
		{testRow{"once above", "what must never be is not a matter of medians"}, bound{connections, neverAbove, 2}, none, []float64{0, 0, 3}, false, "conns/worker always ≤ 2 (it is 3)"},
		{testRow{"never above", "the bound itself is allowed"}, bound{connections, neverAbove, 2}, none, []float64{0, 2}, true, "conns/worker always ≤ 2"},
		{testRow{"not measured", "a missing measurement cannot meet a bound"}, bound{connections, neverAbove, 2}, none, none, false, "conns/worker always ≤ 2 (it is -)"},
	}, func(t *testing.T, tc boundCase) {
		s := measured(tc.bound.unit, map[side][]float64{upstream: tc.upstream, gatehouse: tc.gatehouse})
		v := tc.bound.judge(s.figure(tc.bound.unit))
		if v.met != tc.met || v.String() != tc.text {
			t.Errorf("want %t, %q, got %t, %q", tc.met, tc.text, v.met, v)
		}
	})
}
