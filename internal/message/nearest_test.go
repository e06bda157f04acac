package message

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"slow", "slow-headers", "expired-cert", "deny", "deny-silently", "deny-1200", "deny-5mib", "gzip"}
	type test struct {
		row
		word string
		want []string
	}
	rows := []test{
		{row{"swapped", "two letters in the wrong order are two mistakes"}, "solw", []string{"slow"}},
		{row{"dropped", "the fewest mistakes come first, and what is a part of the word follows"}, "slow-header", []string{"slow-headers", "slow"}},
		{row{"beginning", "who knows only one word of a name finds it"}, "expired", []string{"expired-cert"}},
		{row{"too much", "who adds to a name finds it, too"}, "gzipped", []string{"gzip"}},
		{row{"many", "three are enough, in their own order"}, "den", []string{"deny", "deny-silently", "deny-1200"}},
		{row{"short", "a letter is in most names"}, "z", nil},
		{row{"all wrong", "two mistakes in two letters are another word"}, "xy", nil},
		{row{"far", "no name is better than any name"}, "timeout", nil},
		{row{"empty", "nothing is in every name"}, "", nil},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		if diff := cmp.Diff(tc.want, nearest(tc.word, known)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}
