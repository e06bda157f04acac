package transport

import "testing"

// TestRoundsFor: reviews are sent at once 10 times by default, and always with larger
// objects, too.
func TestRoundsFor(t *testing.T) {
	t.Parallel()
	for calls, want := range map[int]int{1: 2, 10: 2, 20: 2, 50: 5, 100: 10, 1000: 10} {
		if got := roundsFor(calls); got != want {
			t.Errorf("%d rounds for %d calls, want %d", got, calls, want)
		}
	}
}
