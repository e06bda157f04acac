package explain_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"example.com/gatehouse/dispatcher/explain"
)

// FuzzDiff wants the reader to accept exactly what encoding/json accepts, with
// the same values.
func FuzzDiff(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,2.50,-0e1,"x\u00e9\ud83d\ude00",null,true]}`, ` [ { } , [ ] ] `, `{"b":1,"a":2,"b":3}`, "\"\xff\"", `1e400`,
		`{"a":`, `[1,]`, ``, ` `, `"\ud800"`, `{"":{"":""}}`,
	} {
		f.Add([]byte(text), []byte(`{"a":[2.5,1,"x"],"b":{}}`))
	}
	f.Fuzz(func(t *testing.T, text, other []byte) {
		changes, err := explain.Diff(nil, text)
		blank := len(bytes.TrimSpace(text)) == 0
		if (err == nil) != (blank || json.Valid(text)) {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil || blank {
			return
		}
		if len(changes) != 1 || !reflect.DeepEqual(decoded(t, changes[0].New), decoded(t, text)) {
			t.Errorf("%q is %q", text, shownChanges(changes))
		}
		if changes := diff(t, string(text), string(changes[0].New)); len(changes) > 0 {
			t.Errorf("%q is not equal to itself: %q", text, shownChanges(changes))
		}
		_, errDiff := explain.Diff(text, other)
		_, _, _, errBlame := explain.Blame([]explain.State{{Object: text}, {Object: other}, {Object: text}})
		if (errDiff == nil) != (errBlame == nil) {
			t.Errorf("%q: %v, but %v", other, errDiff, errBlame)
		}
	})
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
