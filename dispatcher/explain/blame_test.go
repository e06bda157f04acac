package explain_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

type blameCase struct {
	row
	// states has one state per line: the writer and the object; see
	// parseStates.
	states []string
	// want has one field per line, and wantRemoved one removed field; see
	// shownFields.
	want, wantRemoved []string
}

func TestBlame(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []blameCase{
		{row{"no states", "the request has no object"}, nil, nil, nil},
		{row{"no object", "deletions have no final object"}, []string{"stored"}, nil, nil},
		{row{"unchanged", "the creator wrote all fields"}, []string{`user {"spec":{"a":1,"b":[],"c":{"d":null}}}`},
			[]string{"spec.a = 1 by user", "spec.b = [] by user", "spec.c.d = null by user"}, nil},
		{row{"the root is a leaf", "a document may be a number"}, []string{`user 1`, `a 2`}, []string{" = 2 by a (user 1)"}, nil},
		{row{"document order", "the order of manifests"}, []string{`user {"status":1,"data":2,"spec":{"status":1,"a":2},"metadata":4,"kind":5,"apiVersion":6}`},
			[]string{"apiVersion = 6 by user", "kind = 5 by user", "metadata = 4 by user", "spec.a = 2 by user", "spec.status = 1 by user", "data = 2 by user", "status = 1 by user"}, nil},
		{row{"update", "an update does not write unchanged fields"}, []string{`stored {"a":1,"b":1}`, `user {"a":1,"b":2,"c":3}`},
			[]string{"a = 1 by stored", "b = 2 by user (stored 1)", "c = 3 by user"}, nil},
		{row{"overwritten twice", "oldest first"}, []string{`user {"a":1}`, `a {"a":2}`, `b {"a":3}`}, []string{"a = 3 by b (user 1, a 2)"}, nil},
		{row{"equal value", "setting the current value is no write"}, []string{`user {"a":1}`, `a {"a":1.0}`, `b {"a": 1}`}, []string{"a = 1 by user"}, nil},
		{row{"a part added", "the writer of a part writes its leaves"}, []string{`user {"x":{}}`, `a {"x":{"y":{"b":1,"c":2}}}`, `b {"x":{"y":{"b":1,"c":3}}}`},
			[]string{"x.y.b = 1 by a", "x.y.c = 3 by b (a 2)"}, nil},
		{row{"removed", "the writer and the earlier values"}, []string{`user {"a":1,"b":2}`, `a {"a":5,"b":2}`, `b {"b":2}`}, []string{"b = 2 by user"}, []string{"a by b (user 1, a 5)"}},
		{row{"a part removed", "each leaf may have another writer"}, []string{`user {"x":{"a":1}}`, `a {"x":{"a":1,"b":[]}}`, `b {}`},
			[]string{" = {} by b"}, []string{"x.a by b (user 1)", "x.b by b (a [])"}},
		{row{"removed and back", "the removal is listed"}, []string{`user {"a":1,"b":1}`, `a {"b":1}`, `defaulting {"a":1,"b":1}`}, []string{"a = 1 by defaulting (user 1, a -)", "b = 1 by user"}, nil},
		{row{"a part removed and back", "leaves keep their history; new ones have none"}, []string{`user {"x":{"a":1,"b":1},"z":0}`, `a {"z":0}`, `b {"x":{"a":2,"c":3},"z":0}`},
			[]string{"x.a = 2 by b (user 1, a -)", "x.c = 3 by b", "z = 0 by user"}, []string{"x.b by a (user 1)"}},
		{row{"emptied", "the empty map is a leaf with a writer"}, []string{`user {"x":{"a":1}}`, `a {"x":{}}`}, []string{"x = {} by a"}, []string{"x.a by a (user 1)"}},
		{row{"filled", "an empty map has no value to list"}, []string{`user {"x":{}}`, `a {"x":{"a":1}}`, `b {"x":{}}`}, []string{"x = {} by b"}, []string{"x.a by b (a 1)"}},
		{row{"null filled", "null has no value to list"}, []string{`user {"x":null}`, `a {"x":{"a":1}}`}, []string{"x.a = 1 by a"}, nil},
		{row{"string became map", "the string is removed"}, []string{`user {"x":"s"}`, `a {"x":{"a":1}}`, `b {"x":{"a":2}}`}, []string{"x.a = 2 by b (a 1)"}, []string{`x by a (user "s")`}},
		{row{"map became string", "the leaves of the map are removed"}, []string{`user {"x":{"a":1}}`, `a {"x":"s"}`}, []string{`x = "s" by a`}, []string{"x.a by a (user 1)"}},
		{row{"map removed, string added", "the string has no earlier value"}, []string{`user {"x":{"a":1},"z":0}`, `a {"z":0}`, `b {"x":"s","z":0}`}, []string{`x = "s" by b`, "z = 0 by user"}, []string{"x.a by a (user 1)"}},
		{row{"map became list", "a map and a list are not compared by item"}, []string{`user {"x":{"a":1}}`, `a {"x":[1]}`}, []string{`x[0] = 1 by a`}, []string{"x.a by a (user 1)"}},
		{row{"map, string, map", "restored leaves keep their history"}, []string{`user {"x":{"a":1}}`, `a {"x":"s"}`, `b {"x":{"a":1}}`}, []string{`x.a = 1 by b (user 1, a -)`}, []string{`x by b (a "s")`}},
		{row{"object removed", "the final state has no object"}, []string{`user {"a":1}`, `a`}, nil, []string{"a by a (user 1)"}},
		{row{"sidecar first", "moved items keep their writers"}, []string{`user {"c":[{"name":"app","image":"x"}]}`, `mesh {"c":[{"name":"proxy"},{"name":"app","image":"x"}]}`, `pin {"c":[{"name":"proxy"},{"name":"app","image":"y"}]}`},
			[]string{`c[0].name = "proxy" by mesh`, `c[1].image = "y" by pin (user "x")`, `c[1].name = "app" by user`}, nil},
		{row{"argument first", "scalar items keep their writers, too"}, []string{`user {"a":["x","y"]}`, `w {"a":["n","x","y"]}`, `v {"a":["n","y","x"]}`},
			[]string{`a[0] = "n" by w`, `a[1] = "y" by user`, `a[2] = "x" by user`}, nil},
		{row{"argument replaced", "the item at its index"}, []string{`user {"a":["x","y"]}`, `w {"a":["x","z"]}`}, []string{`a[0] = "x" by user`, `a[1] = "z" by w (user "y")`}, nil},
		{row{"item removed", "other items keep their writers; the removed one keeps its index"}, []string{`user {"c":[{"name":"a","v":1},{"name":"b","v":2}]}`, `w {"c":[{"name":"b","v":2}]}`},
			[]string{`c[0].name = "b" by user`, `c[0].v = 2 by user`}, []string{`c[0].name by w (user "a")`, "c[0].v by w (user 1)"}},
		{row{"items removed in turns", "sorted by index, not by time"}, []string{`user {"f":["x","y","z"]}`, `v {"f":["x","z"]}`, `w {"f":["z"]}`},
			[]string{`f[0] = "z" by user`}, []string{`f[0] by w (user "x")`, `f[1] by v (user "y")`}},
		{row{"item back", "containers are identified by name"}, []string{`user {"c":[{"name":"a","v":1},{"name":"b"}]}`, `w {"c":[{"name":"b"}]}`, `v {"c":[{"name":"b"},{"name":"a","v":2}]}`},
			[]string{`c[0].name = "b" by user`, `c[1].name = "a" by v (user "a", w -)`, "c[1].v = 2 by v (user 1, w -)"}, nil},
		{row{"scalar back", "equal scalars are the same item"}, []string{`user {"f":["x","y"]}`, `w {"f":["y"]}`, `v {"f":["x","y"]}`},
			[]string{`f[0] = "x" by v (user "x", w -)`, `f[1] = "y" by user`}, nil},
		{row{"list emptied and filled", "restored items keep their history"}, []string{`user {"f":["x"]}`, `w {"f":[]}`, `v {"f":["z","x"]}`},
			[]string{`f[0] = "z" by v`, `f[1] = "x" by v (user "x", w -)`}, nil},
		{row{"twice equal", "each removed item is restored once"}, []string{`user {"f":["x","x"]}`, `w {}`, `v {"f":["x","x"]}`},
			[]string{`f[0] = "x" by v (user "x", w -)`, `f[1] = "x" by v`}, []string{`f[0] by w (user "x")`}},
		{row{"two writers of one webhook", "each round is a write"}, []string{`user {"a":1}`, `a {"a":2}`, `a/1 {"a":3}`}, []string{"a = 3 by a/1 (user 1, a 2)"}, nil},
		{row{"the same state", "without a change there is no write"}, []string{`user {"a":1}`, `a {"a":1}`, `defaulting {"a":1}`}, []string{"a = 1 by user"}, nil},
	}, checkBlame)
}

func checkBlame(t *testing.T, tc blameCase) {
	fields, removed, _, err := explain.Blame(parseStates(t, tc.states))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tc.want, shownFields(fields)); d != "" {
		t.Errorf("fields: -want +got\n%s", d)
	}
	if d := cmp.Diff(tc.wantRemoved, shownFields(removed)); d != "" {
		t.Errorf("removed: -want +got\n%s", d)
	}
}

// parseStates parses states: a writer, its round after a slash, its kind after
// an @, and the object after a space. A writer that is no value of Writer.By is
// a webhook. The default kind is v1.
func parseStates(t testing.TB, lines []string) []explain.State {
	t.Helper()
	var states []explain.State
	for _, line := range lines {
		who, object, _ := strings.Cut(line, " ")
		who, kind, other := strings.Cut(who, "@")
		if !other {
			kind = "v1"
		}
		states = append(states, explain.State{
			Kind: schema.GroupVersionKind{Group: "g", Version: kind, Kind: "K"}, Object: json.RawMessage(object), By: writer(t, who),
		})
	}
	return states
}

func writer(t testing.TB, who string) explain.Writer {
	t.Helper()
	switch who {
	case explain.ByStored, explain.ByUser, explain.ByDefaulting, explain.ByConversion, explain.ByServer:
		return explain.Writer{By: who}
	}
	w := explain.Writer{By: explain.ByWebhook, Webhook: who, Configuration: "c"}
	if name, round, ok := strings.Cut(who, "/"); ok {
		n, err := strconv.Atoi(round)
		if err != nil {
			t.Fatal(err)
		}
		w.Webhook, w.Round = name, n
	}
	return w
}

// shownFields formats fields as PATH = VALUE by WRITER (EARLIER…); removed
// fields have no value.
func shownFields(fields []explain.Field) []string {
	var lines []string
	for _, f := range fields {
		line := f.Path
		if f.Value != nil {
			line += " = " + string(f.Value)
		}
		line += " by " + shownWriter(f.Writer)
		if len(f.Earlier) > 0 {
			line += " (" + shownWrites(f.Earlier) + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func shownWriter(w explain.Writer) string {
	who := w.By
	if w.By == explain.ByWebhook {
		who = w.Webhook
	}
	if w.Round > 0 {
		who += "/" + strconv.Itoa(w.Round)
	}
	if w.Through != nil {
		who += "@" + w.Through.Version
	}
	return who
}

func shownWrites(all []explain.Write) string {
	var shown []string
	for _, w := range all {
		value := "-"
		if w.Value != nil {
			value = string(w.Value)
		}
		shown = append(shown, shownWriter(w.Writer)+" "+value)
	}
	return strings.Join(shown, ", ")
}

// TestBlameError wants no results with an error, because partial ones name the
// wrong writer.
func TestBlameError(t *testing.T) {
	t.Parallel()
	fields, removed, fights, err := explain.Blame(parseStates(t, []string{`user {"a":1}`, `a {"a":`, `b {"a":2}`}))
	want := "reading state 2 of 3, by webhook: unexpected end of JSON input"
	if testtable.Text(err) != want || fields != nil || removed != nil || fights != nil {
		t.Errorf("got %v with %d fields, want %s", err, len(fields), want)
	}
}
