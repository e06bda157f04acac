package explain_test

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestBlameThroughOtherKinds covers webhooks that receive another version: v2
// has x where v1, the version of the object, has a.
func TestBlameThroughOtherKinds(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []blameCase{
		{row{"no writer", "the conversion lost a field"}, []string{`user {"a":1,"b":1}`, `conversion@v2 {"x":1}`, `conversion {"a":1}`},
			[]string{"a = 1 by user"}, []string{"b by conversion (user 1)"}},
		{row{"one", "one writer made all changes"}, []string{`user {"a":1,"b":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `conversion {"a":2}`},
			[]string{"a = 2 by w@v2 (user 1)"}, []string{"b by w@v2 (user 1)"}},
		{row{"one of two", "the other webhook changed nothing"}, []string{`user {"a":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `v@v2 {"x":2}`, `conversion {"a":2}`},
			[]string{"a = 2 by w@v2 (user 1)"}, nil},
		{row{"two", "nothing shows which of them wrote the field"},
			[]string{`user {"a":1}`, `conversion@v2 {"a":1}`, `w@v2 {"a":2}`, `v@v2 {"a":3}`, `conversion {"a":3}`},
			[]string{"a = 3 by conversion (user 1)"}, nil},
		{row{"one and defaulting", "defaulting followed the webhook"},
			[]string{`user {"a":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `defaulting@v2 {"x":2,"y":0}`, `conversion {"a":2}`},
			[]string{"a = 2 by w@v2 (user 1)"}, nil},
		{row{"there and back twice", "each conversion is a separate step"},
			[]string{`user {"a":1}`, `conversion@v2 {"x":1}`, `w@v2 {"x":2}`, `conversion {"a":2}`, `u {"a":3}`, `conversion@v2 {"x":3}`, `v@v2 {"x":4}`, `conversion {"a":4}`},
			[]string{"a = 4 by v@v2 (user 1, w@v2 2, u 3)"}, nil},
		{row{"no conversion in between", "the state is in another kind, so it counts as a change"}, []string{`user {"a":1}`, `w@v2 {"x":2}`, `conversion {"a":2}`},
			[]string{"a = 2 by w@v2 (user 1)"}, nil},
		{row{"back by a webhook", "there are two writers"},
			[]string{`user {"a":1,"b":1}`, `conversion@v2 {"a":1,"b":1}`, `w@v2 {"a":2,"b":1}`, `v {"a":2,"b":2}`},
			[]string{"a = 2 by conversion (user 1)", "b = 2 by conversion (user 1)"}, nil},
		{row{"started in another kind", "unchanged fields belong to the creator"},
			[]string{`user@v2 {"a":1,"b":1}`, `conversion {"a":1,"b":1,"c":0}`, `v {"a":1,"b":3,"c":0}`},
			[]string{"a = 1 by user@v2", "b = 3 by v (user@v2 1)", "c = 0 by user@v2"}, nil},
	}, checkBlame)
}
