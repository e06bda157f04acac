package explain

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/gatehouse/internal/message"
)

// What explanations repeat comes from requests and configurations, which may be of any
// length; beyond these lengths it is not repeated. Every valid name or label is shorter.
const (
	shortText = 320
	longText  = 1000
	shortList = 5
	longList  = 20
)

// bounded is a text, or only its length if that is beyond a limit. It is not cut: what is
// to be hidden is found in texts only where it is whole.
func omitLong(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return fmt.Sprintf("(%d characters)", utf8.RuneCountInString(text))
}

// inWords is a word that somebody else chose, as part of a sentence: visible, and on one
// line.
func printableWord(word string) string {
	word = omitLong(word, shortText)
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(word)
	}
	return word
}

// some lists the first of the words, and says how many more there are.
func listWords[T ~string](words []T) string {
	shown := make([]string, 0, shortList)
	for _, word := range words[:min(len(words), shortList)] {
		shown = append(shown, printableWord(string(word)))
	}
	return strings.Join(shown, ", ") + andMore(len(words)-len(shown))
}

// rest says how many more there are.
func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// enumerated is "a, b and c".
func joinWithAnd(words []string) string {
	if len(words) < 2 || len(words) > shortList {
		return listWords(words)
	}
	last := len(words) - 1
	return listWords(words[:last]) + " and " + printableWord(words[last])
}

// shownLabels is {a=b,c=d}, in the order of the keys.
func formatLabels(set map[string]string) string {
	keys := slices.Sorted(maps.Keys(set))
	pairs := make([]string, 0, min(len(keys), longList))
	for _, key := range keys[:min(len(keys), longList)] {
		pairs = append(pairs, formatLabel(key, set[key]))
	}
	return "{" + strings.Join(pairs, ",") + andMore(len(keys)-len(pairs)) + "}"
}

// pair is key=value, of which an empty value is nothing, as in kubectl.
func formatLabel(key, value string) string {
	if value == "" {
		return printableWord(key) + "="
	}
	return printableWord(key) + "=" + printableWord(value)
}

// article is the one that a word in capitals needs.
func withArticle(word string) string {
	if word != "" && strings.ContainsRune("AEIOU", rune(word[0])) {
		return "an " + printableWord(word)
	}
	return "a " + printableWord(word)
}

// resembles reports whether two different words are one and the same word misspelled: they
// differ in case only, or in a letter or two. Digits are not misspelled: v1 is not v2.
func looksLike(a, b string) bool {
	const longest = 128
	if a == b || max(len(a), len(b)) > longest || digits(a) != digits(b) {
		return false
	}
	if strings.EqualFold(a, b) {
		return true
	}
	allowed := min(len(a), len(b)) / 4
	if gap := len(a) - len(b); gap > allowed || -gap > allowed {
		return false // also spares us to compare most of what is very different
	}
	return message.Distance(a, b) <= min(allowed, 2)
}

func digits(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
}
