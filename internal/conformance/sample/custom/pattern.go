package custom

import (
	"iter"
	"regexp/syntax"
	"strings"
	"unicode"
)

const (
	// maxLength bounds the length of a string made for a pattern.
	maxLength = 1 << 8
	// maxParts bounds the parts of a pattern that are written: empty ones such
	// as ^ may repeat without making the string longer.
	maxParts = 1 << 12
)

// matching yields strings that may match a pattern, of growing length, up to at
// least length. It ignores assertions, so that not all of them match.
func matching(pattern string, length, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return
		}
		for more := 0; more <= min(length, maxLength)+2; more++ {
			for alternative := range branches {
				w := writer{more: more, alternative: alternative, n: n}
				w.write(tree)
				if !yield(w.String()) {
					return
				}
			}
		}
	}
}

// writer writes a string for a pattern.
type writer struct {
	strings.Builder
	// more is the number of repetitions above the minimum, alternative selects
	// alternatives, and n selects runes.
	more, alternative, n int
	// parts counts the parts written.
	parts int
}

func (w *writer) write(r *syntax.Regexp) {
	w.parts++
	switch r.Op {
	case syntax.OpLiteral:
		w.WriteString(string(r.Rune))
	case syntax.OpCharClass:
		w.WriteRune(w.oneOf(r.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.WriteRune(w.oneOf([]rune{'a', 'z'}))
	case syntax.OpStar, syntax.OpQuest, syntax.OpPlus, syntax.OpRepeat:
		w.repeat(r)
	case syntax.OpAlternate:
		w.write(r.Sub[w.alternative%len(r.Sub)])
	default: // a group, a sequence, or an empty match
		for _, part := range r.Sub {
			w.write(part)
		}
	}
}

func (w *writer) repeat(r *syntax.Regexp) {
	least, most := 0, -1
	switch r.Op {
	case syntax.OpQuest:
		most = 1
	case syntax.OpPlus:
		least = 1
	case syntax.OpRepeat:
		least, most = r.Min, r.Max
	}
	times := least + w.more
	if most >= 0 {
		times = min(times, most)
	}
	for range times {
		if w.Len() > maxLength || w.parts > maxParts {
			return
		}
		w.write(r.Sub[0])
	}
}

// oneOf returns a rune of the ranges, preferably a letter or a digit.
func (w *writer) oneOf(ranges []rune) rune {
	readable := make([]rune, 0, 62)
	for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		if within(r, ranges) {
			readable = append(readable, r)
		}
	}
	if len(readable) > 0 {
		return readable[w.n%len(readable)]
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1] >= ' ' {
			return max(ranges[i], ' ')
		}
	}
	return unicode.ReplacementChar
}

func within(r rune, ranges []rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= r && r <= ranges[i+1] {
			return true
		}
	}
	return false
}
