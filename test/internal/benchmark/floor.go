package main

import (
	"fmt"
	"math"
)

// relation is how a figure is compared with a floor.
type relation uint8

const (
	// timesBetter: the ratio of the sides is at least the bound.
	timesBetter relation = 1 + iota
	// atLeast: gatehouse's median is at least the bound.
	atLeast
	// atMost: gatehouse's median is at most the bound.
	atMost
	// neverAbove: none of gatehouse's values is above the bound.
	neverAbove
)

// String is how the relation is written between unit and bound.
func (r relation) String() string {
	switch r {
	case timesBetter:
		return "ratio ≥"
	case atLeast:
		return "≥"
	case atMost:
		return "≤"
	case neverAbove:
		return "always ≤"
	}
	return fmt.Sprintf("relation %d", uint8(r))
}

// floor is the requirement of a row in one unit.
type floor struct {
	unit     unit
	relation relation
	bound    float64
}

// verdict is a floor with the measured figure.
type verdict struct {
	floor
	value float64
	met   bool
}

// judge compares a figure with the floor. A missing measurement does not meet
// it.
func (f floor) judge(measured figure) verdict {
	v := verdict{floor: f}
	switch f.relation {
	case timesBetter:
		v.value = measured.ratio
	case atLeast, atMost:
		v.value = measured.gatehouse
	case neverAbove:
		v.value = measured.worst
	}
	switch {
	case math.IsNaN(v.value):
	case f.relation == timesBetter, f.relation == atLeast:
		v.met = v.value >= f.bound
	default:
		v.met = v.value <= f.bound
	}
	return v
}

// String names the unit, the relation and the bound, and the value if it is no
// good.
func (v verdict) String() string {
	write := func(x float64) string {
		if v.relation == timesBetter {
			return plain(x)
		}
		return amount(v.unit, x)
	}
	text := fmt.Sprintf("%s %s %s", v.unit, v.relation, write(v.bound))
	if !v.met {
		text += " (it is " + write(v.value) + ")"
	}
	return text
}
