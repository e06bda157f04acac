package diff

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/gatehouse/internal/whatif"
)

// TestMarkdownFits: a comment is never too long, and says what it leaves out.
func TestMarkdownFits(t *testing.T) {
	t.Parallel()
	d := &Document{Requests: 5000, Differences: Counts{Requests: 5000, Calls: 5000}}
	for i := range 500 {
		change := Change{
			Text: fmt.Sprintf("webhook %d: %s", i, strings.Repeat("ä", 100)), Kind: "K", Name: "n",
			After: &Position{"after.yaml", 1, i + 1},
		}
		d.Causes = append(d.Causes, Cause{
			Changes: []Change{change}, Differences: Counts{Requests: 10, Calls: 10},
			Effects: []whatif.Effect{{Text: strings.Repeat("x", 50), Requests: 10}},
		})
		d.WithoutEffect = append(d.WithoutEffect, change)
	}
	text := string(markdownOf(d))
	if n := utf8.RuneCountInString(text); n > maxComment || n < maxComment/2 {
		t.Errorf("the comment has %d characters", n)
	}
	if !strings.HasSuffix(text, " left out.\n") {
		t.Errorf("the comment ends with %q", text[len(text)-100:])
	}
}

// TestMarkdownIsInert: texts of files and requests are no markup, mention or link.
func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	const hostile = "a`b | @all <b>[x](http://y) \n# c \x1b[31m\u202e"
	for _, text := range []string{code(hostile), plain(hostile)} {
		for _, bad := range []string{"a`b", "b |", "\n", "\x1b", "\u202e"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q has %q", text, bad)
			}
		}
	}
	if text := plain(hostile); strings.ContainsAny(text, "<>@") || strings.Contains(text, " [x]") {
		t.Errorf("%q has markup or a mention", text)
	}
}
