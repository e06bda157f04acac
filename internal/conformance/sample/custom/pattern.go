package custom

import (
	"iter"
	"regexp/syntax"
	"strings"
	"unicode"
)

const (
	// longest is how long a string is made for a pattern.
	longest = 1 << 8
	// busiest is how many parts are written for it: some, such as ^, take no room, and may
	// be repeated in what is repeated.
	busiest = 1 << 12
)

// matching makes strings that a pattern may match, of growing length, until it has made
// some of at least a length. What stands before or after another thing is not looked at,
// so that not all of them do match.
func matching(pattern string, length, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return
		}
		for more := 0; more <= min(length, longest)+2; more++ {
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

// writer writes what a pattern describes.
type writer struct {
	strings.Builder
	// more is how many more of everything are written than have to be, alternative
	// which one is taken, and n which of the runes.
	more, alternative, n int
	// parts is how many parts have been written.
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
	default: // a group, a sequence, or something that takes no room
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
		if w.Len() > longest || w.parts > busiest {
			return
		}
		w.write(r.Sub[0])
	}
}

// oneOf returns a rune of the ranges, a letter or a digit if there are any.
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
