package main

import (
	"math"
	"slices"
)

// unit is what a value is of, as benchmark files have it: benchstat knows ns, B
// and op.
type unit string

// The units. Those that only one row has are with the row.
const (
	timePerOp   unit = "ns/op"
	bytesPerOp  unit = "B/op"
	allocsPerOp unit = "allocs/op"
	throughput  unit = "op/s"
)

// moreIsBetter reports whether the better side has the larger value.
func (u unit) moreIsBetter() bool { return u == throughput }

// sample is one measurement.
type sample struct {
	operations int
	values     map[unit]float64
}

// samples are all measurements of a row, by side, in the order of the rounds.
type samples map[side][]sample

// values returns a side's values of a unit.
func (s samples) values(of side, u unit) []float64 {
	var values []float64
	for _, one := range s[of] {
		if v, has := one.values[u]; has {
			values = append(values, v)
		}
	}
	return values
}

// units returns all units that there are, in a stable order: time, bytes and
// allocations first.
func (s samples) units() []unit {
	found := map[unit]bool{}
	for _, side := range s {
		for _, one := range side {
			for u := range one.values {
				found[u] = true
			}
		}
	}
	var all []unit
	for _, u := range []unit{timePerOp, bytesPerOp, allocsPerOp} {
		if found[u] {
			all = append(all, u)
			delete(found, u)
		}
	}
	var others []unit
	for u := range found {
		others = append(others, u)
	}
	slices.Sort(others)
	return append(all, others...)
}

// median is NaN if there are no values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// figure is what a row's measurements come to in one unit. A side that was not
// measured is NaN, and so is the ratio then.
type figure struct {
	unit                unit
	upstream, gatehouse float64 // medians
	worst               float64 // gatehouse's largest value
	// ratio is how many times better gatehouse is: upstream ÷ gatehouse, or the
	// inverse where more is better.
	ratio float64
}

func (s samples) figure(u unit) figure {
	ours := s.values(gatehouse, u)
	f := figure{unit: u, upstream: median(s.values(upstream, u)), gatehouse: median(ours),
		worst: math.NaN()}
	if len(ours) > 0 {
		f.worst = slices.Max(ours)
	}
	f.ratio = ratio(f.upstream, f.gatehouse)
	if u.moreIsBetter() {
		f.ratio = ratio(f.gatehouse, f.upstream)
	}
	return f
}

// ratio is a÷b, where nothing at all is as good as nothing, and better than
// anything.
func ratio(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 1
	}
	return a / b
}
