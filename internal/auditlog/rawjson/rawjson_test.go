package rawjson_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/auditlog/rawjson"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

type skipRow struct {
	row
	text string
	// rest is what follows the value; broken if it has no end.
	rest string
}

const broken = "broken"

func TestSkip(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []skipRow{
		{row{"object", "brackets in strings do not count"}, `{"a":"}]","b":[{}]},x`, ",x"},
		{row{"escapes", "a quote after a backslash does not end a string"}, `"a\"b\\" x`, " x"},
		{row{"two backslashes", "they are one character"}, `"\\"x"`, `x"`},
		{row{"number", "literals end before punctuation"}, `-1.5e3}`, "}"},
		{row{"space", "it may come first"}, " \n\tnull ", " "},
		{row{"open object", "a line that was cut off"}, `{"a":[1,2`, broken},
		{row{"open string", "a line that was cut off"}, `"a\"`, broken},
		{row{"nothing", "there is no value"}, "  ", broken},
		{row{"punctuation", "no value begins with it"}, ",1", broken},
	}, func(t *testing.T, tc skipRow) {
		got := broken
		if end := rawjson.Skip([]byte(tc.text), 0); end >= 0 {
			got = tc.text[end:]
		}
		if got != tc.rest {
			t.Errorf("got %q", got)
		}
	})
}

type lookupRow struct {
	row
	keys []string
	want string
}

func TestLookup(t *testing.T) {
	t.Parallel()
	document := `{ "a": {"b/c": [1, {"d\"e": "\u0078"}], "n": null}, "a2": 7 }`
	testtable.Run(t, []lookupRow{
		{row{"nested", "the usual case"}, []string{"a", "b/c", "0"}, "1"},
		{row{"escaped key", "keys are compared decoded"}, []string{"a", "b/c", "1", `d"e`}, `"\u0078"`},
		{row{"null", "it is a value"}, []string{"a", "n"}, "null"},
		{row{"absent", "no such key"}, []string{"a", "x"}, ""},
		{row{"index", "beyond the list"}, []string{"a", "b/c", "2"}, ""},
		{row{"no index", "a list has no keys"}, []string{"a", "b/c", "-"}, ""},
		{row{"literal", "it has no members"}, []string{"a2", "b"}, ""},
		{row{"whole", "no keys"}, nil, document},
	}, func(t *testing.T, tc lookupRow) {
		if got := rawjson.Lookup([]byte(document), tc.keys...); string(got) != tc.want {
			t.Errorf("got %q", got)
		}
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`"a"`: "a", `"\u0061\n"`: "a\n", `1`: "", `"`: "", `"\x"`: "", "\"\xd2\"": "\ufffd"} {
		if got := rawjson.Text([]byte(text)); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	if got := rawjson.Keys("/a~1b/~01//0"); !slices.Equal(got, []string{"a/b", "~1", "", "0"}) {
		t.Errorf("got %q", got)
	}
	if got := rawjson.Keys(""); got != nil {
		t.Errorf("got %q", got)
	}
}

// FuzzMembers: what encoding/json accepts has the same members.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[{"c":"\""}]}`, `{}`, `{"a"}`, `{"a":1,}`, `{"a":{"b":{}}}`, "{\"\xd2\":{}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		if json.Unmarshal(text, &want) != nil || want == nil {
			rawjson.Members(text, 0, func(_, _ []byte) bool { return true }) // it may not panic
			return
		}
		got := map[string]json.RawMessage{}
		if rawjson.Members(text, 0, func(key, value []byte) bool {
			got[rawjson.Text([]byte(`"`+string(key)+`"`))] = value
			return true
		}) < 0 {
			t.Fatalf("%q is taken for broken", text)
		}
		for key, value := range want {
			if strings.TrimSpace(string(value)) != string(got[key]) {
				t.Errorf("%q: got %q", key, got[key])
			}
		}
	})
}
