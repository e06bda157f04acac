package explain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

type fightCase struct {
	row
	states []string
	// want has one fight per line: its path and its writes.
	want []string
}

func TestFights(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []fightCase{
		{row{"one after the other", "overwriting once is no fight"}, []string{`user {"a":0}`, `a {"a":1}`, `b {"a":2}`}, nil},
		{row{"a, b, a", "the first webhook overwrote the second one's value"}, []string{`user {"a":0}`, `a {"a":1}`, `b {"a":2}`, `a/1 {"a":1}`},
			[]string{"a: user 0, a 1, b 2, a/1 1"}},
		{row{"both in both rounds", "set true and set false"}, []string{`user {"s":false}`, `t {"s":true}`, `f {"s":false}`, `t/1 {"s":true}`, `f/1 {"s":false}`},
			[]string{"s: user false, t true, f false, t/1 true, f/1 false"}},
		{row{"no change in round 1", "an unchanged value is no write"}, []string{`user {"a":0}`, `a {"a":1}`, `b {"a":2}`, `a/1 {"a":2}`}, nil},
		{row{"the same webhook twice", "a fight needs two webhooks"}, []string{`user {"a":0}`, `a {"a":1}`, `a/1 {"a":2}`}, nil},
		{row{"with a user", "only webhooks fight"}, []string{`user {"a":0}`, `a {"a":1}`, `user {"a":0}`, `a/1 {"a":1}`}, nil},
		{row{"defaults between", "only webhooks fight"}, []string{`user {"a":0}`, `a {}`, `defaulting {"a":0}`, `a/1 {}`}, nil},
		{row{"defaults after each", "they do not end a fight"}, []string{`user {"a":0}`, `a {"b":1}`, `defaulting {"a":0,"b":1}`, `b {"a":2,"b":1}`, `a/1 {"b":1}`},
			[]string{"a: user 0, a -, defaulting 0, b 2, a/1 -"}},
		{row{"three webhooks", "the fight is of two of them"}, []string{`a {"a":1}`, `b {"a":2}`, `c {"a":3}`, `b/1 {"a":2}`}, []string{"a: a 1, b 2, c 3, b/1 2"}},
		{row{"a part", "one fight, not one per leaf"}, []string{`user {"m":{}}`, `a {"m":{"l":{"x":1,"y":2}}}`, `b {"m":{}}`, `a/1 {"m":{"l":{"x":1,"y":2}}}`},
			[]string{`m.l: a {"x":1,"y":2}, b -, a/1 {"x":1,"y":2}`}},
		{row{"one leaf of a part", "other leaves are not part of it"}, []string{`user {}`, `a {"l":{"x":1,"y":2}}`, `b {"l":{"y":2}}`, `a/1 {"l":{"x":1,"y":2}}`},
			[]string{"l.x: a 1, b -, a/1 1"}},
		{row{"a sidecar", "a restored item is the same item"}, []string{`user {"c":[{"name":"a"}]}`, `i {"c":[{"name":"s"},{"name":"a"}]}`, `r {"c":[{"name":"a"}]}`, `i/1 {"c":[{"name":"s"},{"name":"a"}]}`},
			[]string{`c[0]: i {"name":"s"}, r -, i/1 {"name":"s"}`}},
		{row{"removed in the end", "the path is the last one"}, []string{`user {"c":["x"]}`, `i {"c":["x","y"]}`, `r {"c":["x"]}`, `i/1 {"c":["x","y"]}`, `r/1 {"c":["x"]}`},
			[]string{`c[1]: i "y", r -, i/1 "y", r/1 -`}},
		{row{"the only item", "the empty list in between is no fight"}, []string{`user {"c":[]}`, `i {"c":["y"]}`, `r {"c":[]}`, `i/1 {"c":["y"]}`, `r/1 {"c":[]}`},
			[]string{`c[0]: i "y", r -, i/1 "y", r/1 -`}},
		{row{"through another version", "writes in another version count"}, []string{`user {"a":0}`, `a {"a":1}`, `conversion@v2 {"x":1}`, `b@v2 {"x":2}`, `conversion {"a":2}`, `a/1 {"a":1}`},
			[]string{"a: user 0, a 1, b@v2 2, a/1 1"}},
		{row{"document order", "the order of fields"}, []string{`a {"spec":1,"data":1,"status":1}`, `b {"spec":2,"data":2,"status":2}`, `a/1 {"spec":3,"data":3,"status":3}`},
			[]string{"spec: a 1, b 2, a/1 3", "data: a 1, b 2, a/1 3", "status: a 1, b 2, a/1 3"}},
	}, func(t *testing.T, tc fightCase) {
		_, _, fights, err := explain.Blame(parseStates(t, tc.states))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range fights {
			got = append(got, f.Path+": "+shownWrites(f.Writes))
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

// TestFightsByConfiguration distinguishes webhooks with one name in two
// configurations.
func TestFightsByConfiguration(t *testing.T) {
	t.Parallel()
	states := parseStates(t, []string{`a {"a":1}`, `b {"a":2}`, `a {"a":3}`})
	states[2].By.Configuration = "another"
	if _, _, fights, err := explain.Blame(states); err != nil || len(fights) != 0 {
		t.Errorf("got %v, %v; none of them has written twice", fights, err)
	}
}
