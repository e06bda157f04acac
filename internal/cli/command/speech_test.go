package command

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestQuoted(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/tmp/a-1/b_c.yaml": "/tmp/a-1/b_c.yaml",
		"/tmp/my files/a":   "'/tmp/my files/a'",
		"it's":              `'it'\''s'`,
		"a$b":               "'a$b'",
	} {
		if got := Quoted(path); got != want {
			t.Errorf("Quoted(%q) is %s, want %s", path, got, want)
		}
	}
}

func TestIndented(t *testing.T) {
	t.Parallel()
	for _, want := range []string{`<a> & "b"`, `\u003c`, `\\u003c`, `\<`} {
		text, err := Indented(want)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s is printed as %s, which reads %q (%v)", want, text, got, err)
		}
		if strings.Contains(want, "<a>") && !strings.Contains(string(text), "<a> &") {
			t.Errorf("%s is printed as %s", want, text)
		}
	}
}
