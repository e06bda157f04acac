package main

import (
	"fmt"
	"math"
)

// relation is how a figure is compared with a bound.
type relation uint8

const (
	// timesBetter: the ratio of the sides is at least the limit.
	timesBetter relation = 1 + iota
	// atLeast: gatehouse's median is at least the limit.
	atLeast
	// atMost: gatehouse's median is at most the limit.
	atMost
	// neverAbove: none of gatehouse's values is above the limit.
	neverAbove
)

// String is how the relation is written between unit and limit.
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

// bound is what a row has to reach in one unit: a gate or a goal.
type bound struct {
	unit     unit
	relation relation
	limit    float64
}

// verdict is a bound with the measured figure.
type verdict struct {
	bound
	value float64
	met   bool
}

// judge compares a figure with the bound. A missing measurement does not meet
// it.
func (b bound) judge(measured figure) verdict {
	v := verdict{bound: b}
	switch b.relation {
	case timesBetter:
		v.value = measured.ratio
	case atLeast, atMost:
		v.value = measured.gatehouse
	case neverAbove:
		v.value = measured.worst
	}
	switch {
	case math.IsNaN(v.value):
	case b.relation == timesBetter, b.relation == atLeast:
		v.met = v.value >= b.limit
	default:
		v.met = v.value <= b.limit
	}
	return v
}

// String names the unit, the relation and the limit.
func (b bound) String() string {
	return fmt.Sprintf("%s %s %s", b.unit, b.relation, b.amount(b.limit))
}

func (b bound) amount(value float64) string {
	if b.relation == timesBetter {
		return plain(value)
	}
	return amount(b.unit, value)
}

// String is the bound, and the value if it is no good.
func (v verdict) String() string {
	text := v.bound.String()
	if !v.met {
		text += " (it is " + v.amount(v.value) + ")"
	}
	return text
}
