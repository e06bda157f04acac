package explain

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"example.com/gatehouse/internal/testutil/testtable"
)

type bodyCase struct {
	testtable.Row
	raw, want string
}

func TestBody(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []bodyCase{
		{testtable.Row{"nothing", "the call has no body"}, "", ""},
		{testtable.Row{"JSON", "the usual case"}, `{"a":"ä"}`, `{"a":"ä"}`},
		{testtable.Row{"text", "for example an error page"}, "not found", `"not found"`},
		{testtable.Row{"no UTF-8", "JSON must be UTF-8"}, "{\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\"}"},
		{testtable.Row{"neither", "both are repaired"}, "\xff", `"\ufffd"`},
	}, func(t *testing.T, tc bodyCase) {
		got := Body([]byte(tc.raw))
		if string(got) != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
		if len(got) > 0 && (!json.Valid(got) || !utf8.Valid(got)) {
			t.Errorf("%q is no JSON", got)
		}
	})
}
