package explain_test

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestBlameThroughOtherKinds covers webhooks that receive another version: v2 has x
// where v1, the version of the object, has a.
func TestBlameThroughOtherKinds(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []blameCase{
		{row{"no writer", "the conversion lost a field"}, []string{`user {"a":1,"b":1}`, `conversion@v2 {"x":1}`, `conversion {"a":1}`},
			[]string{"a = 1 by user"}, []string{"b by conversion (user 1)"}},
		{row{"one", "one writer made all changes"}, []string{`user {"a":1,"b":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `conversion {"a":2}`},
			[]string{"a = 2 by w@v2 (user 1)"}, []string{"b by w@v2 (user 1)"}},
		{row{"one of two", "the other webhook changed nothing"}, []string{`user {"a":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `v@v2 {"x":2}`, `conversion {"a":2}`},
			[]string{"a = 2 by w@v2 (user 1)"}, nil},
		{row{"two, by path", "equal paths are taken for the same field"},
			[]string{`user {"a":1,"b":1}`, `conversion@v2 {"a":1,"b":1}`, `w@v2 {"a":2,"b":1}`, `v@v2 {"a":2,"b":2}`, `conversion {"a":2,"b":2}`},
			[]string{"a = 2 by w@v2 (user 1)", "b = 2 by v@v2 (user 1)"}, nil},
		{row{"two on one path", "the last writer wrote the value"},
			[]string{`user {"a":1}`, `conversion@v2 {"a":1}`, `w@v2 {"a":2}`, `v@v2 {"a":3}`, `conversion {"a":3}`},
			[]string{"a = 3 by v@v2 (user 1)"}, nil},
		{row{"two, by the part", "the writer of a part wrote its leaves"},
			[]string{`user {"z":1}`, `conversion@v2 {"z":1}`, `w@v2 {"m":{"a":1,"b":1},"z":1}`, `v@v2 {"m":{"a":1,"b":2},"z":1}`, `conversion {"m":{"a":1,"b":2},"z":1}`},
			[]string{"m.a = 1 by w@v2", "m.b = 2 by v@v2", "z = 1 by user"}, nil},
		{row{"two, other path", "no webhook wrote this path, so the last webhook counts"},
			[]string{`user {"a":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `v@v2 {"x":3}`, `defaulting@v2 {"x":3,"y":0}`, `conversion {"a":3}`},
			[]string{"a = 3 by v@v2 (user 1)"}, nil},
		{row{"two kinds", "Through is the kind of each"},
			[]string{`user {"a":1,"b":1}`, `conversion@v2 {"a":1,"b":1}`, `w@v2 {"a":2,"b":1}`, `conversion@v3 {"a":2,"b":1}`, `v@v3 {"a":2,"b":2}`, `conversion {"a":2,"b":2}`},
			[]string{"a = 2 by w@v2 (user 1)", "b = 2 by v@v3 (user 1)"}, nil},
		{row{"there and back twice", "each conversion is a separate step"},
			[]string{`user {"a":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `conversion {"a":2}`, `u {"a":3}`, `conversion@v2 {"x":3}`, `v@v2 {"x":4}`, `conversion {"a":4}`},
			[]string{"a = 4 by v@v2 (user 1, w@v2 2, u 3)"}, nil},
		{row{"no conversion in between", "the state is in another kind, so it counts as a change"}, []string{`user {"a":1}`, `w@v2 {"x":2}`, `conversion {"a":2}`},
			[]string{"a = 2 by w@v2 (user 1)"}, nil},
		{row{"back by a webhook", "paths that other webhooks wrote are not its own"},
			[]string{`user {"a":1,"b":1}`, `conversion@v2 {"a":1,"b":1}`, `w@v2 {"a":2,"b":1}`, `v {"a":2,"b":2}`},
			[]string{"a = 2 by w@v2 (user 1)", "b = 2 by v (user 1)"}, nil},
		{row{"started in another kind", "unchanged fields belong to the creator"},
			[]string{`user@v2 {"a":1,"b":1}`, `w@v2 {"a":2,"b":1}`, `conversion {"a":2,"b":1,"c":0}`, `v {"a":2,"b":3,"c":0}`},
			[]string{"a = 2 by w@v2", "b = 3 by v (user@v2 1)", "c = 0 by user@v2"}, nil},
		{row{"an item of a list", "its path is the one after the change"},
			[]string{`user {"c":[{"name":"a","v":1}]}`, `conversion@v2 {"c":[{"name":"a","v":1}]}`, `w@v2 {"c":[{"name":"n"},{"name":"a","v":1}]}`, `v@v2 {"c":[{"name":"n"},{"name":"a","v":2}]}`, `conversion {"c":[{"name":"n"},{"name":"a","v":2}]}`},
			[]string{`c[0].name = "n" by w@v2`, `c[1].name = "a" by user`, "c[1].v = 2 by v@v2 (user 1)"}, nil},
		{row{"two, the part last", "the later writer of the part replaced the field"},
			[]string{`user {"c":[{"name":"a","v":1}]}`, `conversion@v2 {"c":[{"name":"a","v":1}]}`, `w@v2 {"c":[{"name":"a","v":2}]}`, `v@v2 {"c":[{"name":"n","v":3},{"name":"a","v":2}]}`, `conversion {"c":[{"name":"n","v":3}]}`},
			[]string{`c[0].name = "n" by v@v2`, "c[0].v = 3 by v@v2"}, []string{`c[0].name by v@v2 (user "a")`, "c[0].v by v@v2 (user 1)"}},
	}, checkBlame)
}
