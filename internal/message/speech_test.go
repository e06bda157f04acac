package message

import (
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

func TestShown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"one":              "one",
		"one\ntwo\n":       "one\n  two\n  ",
		"\x1b[2J\r\n\ttwo": `\x1b[2J\r` + "\n" + `  \ttwo`,
		"\u202e\xff":       `\u202e` + "\ufffd",
	} {
		if got := Shown(text, "  "); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// TestNotice: tables that commands make have tabs.
func TestNotice(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	Notice(&out, "a\tb\x1b[2J\n%s", "c\r")
	if want := "gatehouse: a\tb\\x1b[2J\ngatehouse: c\\r\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
