package output

import (
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

type shownRow struct {
	row
	text, want string
}

// TestShownText: webhooks are strangers.
func TestShownText(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []shownRow{
		{row{"plain", "nothing is to be done"}, `é "quoted" 世`, `é "quoted" 世`},
		{row{"lines", "they belong together"}, "no\nadmitted", "no\n    admitted"},
		{row{"escape", "the cursor is not the webhook's"}, "no\n\x1b[2Kadmitted", "no\n    \\x1b[2Kadmitted"},
		{row{"one byte", "some terminals know a shorter escape"}, "\u009b2K", `\u009b2K`},
		{row{"carriage return", "it would write over the line"}, "denied\radmitted", `denied\radmitted`},
		{row{"backspace and bell", "they are no text"}, "a\b\a", `a\b\a`},
		{row{"direction", "admitted is not what it reads like backwards"}, "\u202edettimda\u2066", `\u202edettimda\u2066`},
		{row{"separators", "lines are what \\n ends"}, "a\u2028b\u0085", `a\u2028b\u0085`},
		{row{"no UTF-8", "no byte goes out as it is"}, "a\xff\x9b", "a\ufffd\ufffd"},
	}, func(t *testing.T, r shownRow) {
		if got := shownText(r.text); got != r.want {
			t.Errorf("got %q, want %q", got, r.want)
		}
	})
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
