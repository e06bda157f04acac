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
		{testtable.Row{"nothing", "there is no body"}, "", ""},
		{testtable.Row{"JSON", "it is what most are"}, `{"a":"ä"}`, `{"a":"ä"}`},
		{testtable.Row{"text", "a page of an error"}, "not found", `"not found"`},
		{testtable.Row{"no UTF-8", "JSON of other programs could not be read"}, "{\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\"}"},
		{testtable.Row{"neither", "both have to be mended"}, "\xff", `"\ufffd"`},
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
