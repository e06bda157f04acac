package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// amount writes a value for people, without a space.
func amount(u unit, v float64) string {
	name := string(u)
	switch {
	case math.IsNaN(v):
		return "-"
	case name == string(timePerOp), strings.HasSuffix(name, "-ns"):
		return scaled(v, 1000, "ns", "µs", "ms", "s")
	case u == bytesPerOp, strings.HasSuffix(name, "-B"):
		return scaled(v, 1000, "B", "kB", "MB", "GB")
	}
	return plain(v)
}

func scaled(v, step float64, names ...string) string {
	for len(names) > 1 && math.Abs(v) >= step {
		v, names = v/step, names[1:]
	}
	return plain(v) + names[0]
}

// plain writes three digits, or all there are before the point.
func plain(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 0), math.Abs(v) >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case math.Abs(v) >= 10:
		return trimmed(v, 1)
	}
	return trimmed(v, 2)
}

// trimmed leaves out zeros after the point.
func trimmed(v float64, digits int) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', digits, 64), "0"), ".")
}

// cell is a figure in a column: both sides' medians and how much better
// gatehouse is, or gatehouse's alone.
func cell(f figure) string {
	if math.IsNaN(f.upstream) {
		return amount(f.unit, f.gatehouse)
	}
	return fmt.Sprintf("%s/%s=%s", amount(f.unit, f.upstream),
		amount(f.unit, f.gatehouse), plain(f.ratio))
}
