package output

import (
	"testing"
	"time"
)

// TestShownText: webhooks are strangers.
func TestShownText(t *testing.T) {
	t.Parallel()
	if got, want := shownText("no\n\x1b[2Kadmitted"), "no\n    ^[[2Kadmitted"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRounded(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		1234567 * time.Microsecond: "1.23s",
		23456 * time.Microsecond:   "23ms",
		2345 * time.Microsecond:    "2.3ms",
		234 * time.Microsecond:     "230µs",
		0:                          "0s",
	} {
		if got := rounded(d).String(); got != want {
			t.Errorf("%v is shown as %s, want %s", d, got, want)
		}
	}
}
