package limits_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

type cutRow struct {
	row
	text string
	size int
	want string
}

func TestCut(t *testing.T) {
	t.Parallel()
	const end = "... (truncated)" // 15 bytes
	testtable.Run(t, []cutRow{
		{row{"empty", "nothing is short enough"}, "", 5, ""},
		{row{"fits", "a text within the limit is unchanged"}, "twenty characters...", 20, "twenty characters..."},
		{row{"one too long", "the ending counts"}, "twenty-one characters", 20, "twent" + end},
		{row{"long", "however long it is"}, strings.Repeat("x", 5000), 4096, strings.Repeat("x", 4081) + end},
		{row{"between characters", "é has two bytes and stays whole"}, "abcdé" + strings.Repeat("é", 20), 20, "abcd" + end},
		{row{"after a character", "é has two bytes and fits"}, "abcé" + strings.Repeat("é", 20), 20, "abcé" + end},
		{row{"four bytes", "so has the largest"}, "ab😀" + strings.Repeat("x", 20), 20, "ab" + end},
		{row{"no room", "the ending shows that the text was cut"}, "twenty characters...", 3, end},
	}, func(t *testing.T, tc cutRow) {
		if got := limits.Cut(tc.text, tc.size); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	})
}

func FuzzCut(f *testing.F) {
	f.Add("é😀", 1)
	f.Add(strings.Repeat("é", 40), 30)
	f.Fuzz(func(t *testing.T, text string, size int) {
		got := limits.Cut(text, size)
		if len(got) > max(size, len("... (truncated)")) && size >= 0 {
			t.Errorf("%d bytes, want no more than %d", len(got), size)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
