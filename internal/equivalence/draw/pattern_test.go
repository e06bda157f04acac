package draw

import (
	"regexp"
	"testing"
)

// TestSamples finds words for the patterns that policies and schemas have.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{
		"^team-[a-z]+$", "^[A-Z]{2}-[0-9]+$", "^(a|b)/.*:v[0-9]+$", "^$", ".+", `^[^/]+\.example\.com/`,
		`^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)+[a-z]+$`, `\d+(Mi|Gi)`, `(?i)^prod`,
	} {
		words := samples(pattern)
		if len(words) == 0 {
			t.Errorf("%s: no word", pattern)
		}
		for _, word := range words {
			if !regexp.MustCompile(pattern).MatchString(word) {
				t.Errorf("%s: %q does not match", pattern, word)
			}
		}
	}
	for _, pattern := range []string{"(", "a{2000}", `[^\x00-\x{10FFFF}]`} {
		samples(pattern) // must not panic
	}
}
