package review

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type quickRow struct {
	row
	body string
	want bool
}

func TestQuick(t *testing.T) {
	t.Parallel()
	fill := func(size int, body string) string { return body + strings.Repeat(" ", size-len(body)) }
	testtable.Run(t, []quickRow{
		{row{"empty", "there is nothing to decode, and the call has failed"}, "", true},
		{row{"text", "what servers say of their errors"}, "404 page not found\n", true},
		{row{"short YAML", "too short to take long"}, "kind: AdmissionReview\n", true},
		{row{"almost long YAML", "the last size that is short"}, fill(maxInlineText-1, "a:\n"), true},
		{row{"long YAML", "it takes long to read"}, fill(maxInlineText, "a:\n"), false},
		{row{"short JSON", "the usual answer"}, "{}", true},
		{row{"JSON", "longer than text may be"}, fill(maxInlineJSON-1, "\n {}"), true},
		{row{"long JSON", "it takes some time to read"}, fill(maxInlineJSON, "{}"), false},
	}, func(t *testing.T, tc quickRow) {
		if got := Quick([]byte(tc.body)); got != tc.want {
			t.Errorf("%v, want %v", got, tc.want)
		}
	})
}
