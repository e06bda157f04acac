package explain

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// hostileText contains characters and sequences that control terminals.
const hostileText = "\x1b[2J\r\n└─ evil\t\u202e\u200b\x00\x7f\u009b\xff"

// hostileExplanation has hostileText in all of its fields, in three webhooks:
// one that was called, one that was not, and one whose matching failed.
func hostileExplanation() *Explanation {
	e := &Explanation{}
	fill(reflect.ValueOf(e).Elem())
	for i := range e.Rounds {
		called := e.Rounds[i].Webhooks[0]
		skipped, failed := called, called
		skipped.Call, skipped.Error, failed.Call = nil, "", nil
		e.Rounds[i].Webhooks = []Webhook{called, skipped, failed}
	}
	return e
}

// fill sets every string to hostileText, and every list to two items.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostileText)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(hostileText))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// TestTreeOfHostileTexts wants no lines and no escape sequences but those of
// the tree.
func TestTreeOfHostileTexts(t *testing.T) {
	t.Parallel()
	branch := regexp.MustCompile(`^((│  |   )*(├─ |└─ ))?(\x1b\[\d+m)?\S`)
	colors := regexp.MustCompile(`\x1b\[(0|2|31|32|33)m`)
	for _, o := range []TreeOptions{{}, {Short: true}, {Fields: true}, {Color: true}, {Hints: true, Details: true}} {
		var text strings.Builder
		if err := hostileExplanation().Tree(&text, o); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			line = strings.TrimSuffix(line, "\n")
			if !branch.MatchString(line) {
				t.Errorf("%+v: not a line of the tree: %q", o, line)
			}
			if o.Color {
				line = colors.ReplaceAllString(line, "")
			}
			if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.HasPrefix(line, "└─ evil") {
				t.Errorf("%+v: %q", o, line)
			}
		}
		if o.Details && strings.Count(text.String(), "evil") < 50 {
			t.Errorf("most of it is missing:\n%s", &text)
		}
	}
}
