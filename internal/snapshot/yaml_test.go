package snapshot

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// pieces are what YAML has meanings for.
var pieces = []string{
	"a", "Z", "0", "1", "9", ".", "-", "+", "_", ":", " ", "  ", "\n", "\n\n", "\t", "\r", "#", "'", `"`,
	`\`, "{", "}", "[", "]", ",", "&", "*", "!", "|", ">", "%", "@", "`", "~", "?", "=", "<<", "e", "x", "0x",
	"0o7", "0b1", "yes", "no", "on", "off", "true", "null", "y", "N", "NaN", ".inf", "---", "...", "- ",
	": ", " #", "1:30", "2001-01-01", "1e3", "\u007f", "\u0000", "\u0085", "\u00a0", "\u2028", "\ufeff", "é", "😀",
	"\u202e", "\ufffd", "\ufffe", "\x1b[2J",
}

// TestEncode: what is written is what is read again, by the library with which the other
// commands read.
func TestEncode(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	var value func(depth int) any
	value = func(depth int) any {
		switch n := random.IntN(10); {
		case n == 0:
			return random.Int64() - random.Int64()
		case n == 1:
			return random.NormFloat64() * 1e10
		case n == 2:
			return []any{true, false, nil, 1e21, int64(1 << 62), -0.5, []any{}, map[string]any{}}[random.IntN(8)]
		case n < 5 && depth > 0:
			object := map[string]any{}
			for range random.IntN(4) {
				object[text()] = value(depth - 1)
			}
			return object
		case n < 7 && depth > 0:
			list := []any{}
			for range random.IntN(4) {
				list = append(list, value(depth-1))
			}
			return list
		}
		return text()
	}
	for range 3_000 {
		object := map[string]any{"a": value(3), text(): text()}
		written, err := encode(object)
		if err != nil {
			t.Fatalf("%#v: %v", object, err)
		}
		want, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		read, err := yaml.YAMLToJSONStrict(written)
		if err != nil {
			t.Fatalf("%s is written as\n%s\n%v", want, written, err)
		}
		var got, expected any
		if json.Unmarshal(read, &got) != nil || json.Unmarshal(want, &expected) != nil ||
			!reflect.DeepEqual(got, expected) {
			t.Fatalf("%s is written as\n%s\nand read as\n%s", want, written, read)
		}
	}
}
