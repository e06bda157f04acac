package command

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestIndented(t *testing.T) {
	t.Parallel()
	for _, want := range []string{`<a> & "b"`, `\u003c`, `\\u003c`, `\<`, "\x1b[31m\u009b\u202e\ufeff", "\U000e0001 \U0001f600 é"} {
		text, err := Indented(want)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s is printed as %s, which reads %q (%v)", want, text, got, err)
		}
		if unseen := strings.ContainsFunc(strings.TrimSuffix(string(text), "\n"), func(r rune) bool { return !unicode.IsPrint(r) }); unseen {
			t.Errorf("%q is printed as %q, which cannot be seen", want, text)
		}
		if strings.Contains(want, "<a>") && !strings.Contains(string(text), "<a> &") {
			t.Errorf("%s is printed as %s", want, text)
		}
	}
}
