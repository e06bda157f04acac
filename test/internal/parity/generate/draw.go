package generate

import "pgregory.net/rapid"

// bits are the source of a choice. rapid prefers small numbers, which would
// make everything rare that is not first in its list; it draws bits evenly.
var bits = rapid.SliceOfN(rapid.Bool(), 8, 8)

// below draws a number from 0 to n-1, each as likely as the other, for an n of
// no more than about a hundred. A failing case shrinks to 0.
func below(t *rapid.T, label string, n int) int {
	number := 0
	for _, bit := range bits.Draw(t, label) {
		number *= 2
		if bit {
			number++
		}
	}
	return number * n >> 8
}

// oneOf draws one of the values. The first is what a failing case shrinks to;
// saying a value twice makes it twice as likely.
func oneOf[V any](t *rapid.T, label string, values []V) V {
	return values[below(t, label, len(values))]
}

// some draws a few of the values, which may be none.
func some[V any](t *rapid.T, label string, most int, values []V) []V {
	var drawn []V
	for range below(t, "how many: "+label, most+1) {
		drawn = append(drawn, oneOf(t, label, values))
	}
	return drawn
}

func boolean(t *rapid.T, label string) bool { return rapid.Bool().Draw(t, label) }

// rarely is true once in so many times.
func rarely(t *rapid.T, label string, times int) bool {
	return below(t, label, times) == times-1
}
