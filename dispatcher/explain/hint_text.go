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

// Limits for text from requests and configurations, which may be of any length.
// Every valid name or label is shorter.
const (
	shortText = 320
	longText  = 1000
	shortList = 5
	longList  = 20
)

// omitLong returns the text, or its length in parentheses if it exceeds the
// limit. The text is not truncated, because redaction finds only complete
// values.
func omitLong(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return fmt.Sprintf("(%d characters)", utf8.RuneCountInString(text))
}

// printableWord returns a word from a request or configuration in a form that
// is printable and on one line.
func printableWord(word string) string {
	word = omitLong(word, shortText)
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(word)
	}
	return word
}

// listWords lists the first words and the number of the others.
func listWords[T ~string](words []T) string {
	shown := make([]string, 0, shortList)
	for _, word := range words[:min(len(words), shortList)] {
		shown = append(shown, printableWord(string(word)))
	}
	return strings.Join(shown, ", ") + andMore(len(words)-len(shown))
}

// andMore returns " and n more"; empty for 0.
func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// joinWithAnd returns for example "a, b and c".
func joinWithAnd(words []string) string {
	if len(words) < 2 || len(words) > shortList {
		return listWords(words)
	}
	last := len(words) - 1
	return listWords(words[:last]) + " and " + printableWord(words[last])
}

// formatLabels returns labels as {a=b,c=d}, sorted by key.
func formatLabels(set map[string]string) string {
	keys := slices.Sorted(maps.Keys(set))
	pairs := make([]string, 0, min(len(keys), longList))
	for _, key := range keys[:min(len(keys), longList)] {
		pairs = append(pairs, formatLabel(key, set[key]))
	}
	return "{" + strings.Join(pairs, ",") + andMore(len(keys)-len(pairs)) + "}"
}

// formatLabel returns key=value, and key= for an empty value, as kubectl does.
func formatLabel(key, value string) string {
	if value == "" {
		return printableWord(key) + "="
	}
	return printableWord(key) + "=" + printableWord(value)
}

// withArticle puts "a" or "an" before a word in capitals.
func withArticle(word string) string {
	if word != "" && strings.ContainsRune("AEIOU", rune(word[0])) {
		return "an " + printableWord(word)
	}
	return "a " + printableWord(word)
}

// looksLike reports whether two different words are probably the same word,
// misspelled: they differ in case only, or in one or two letters. Digits must
// be equal: v1 is not v2.
func looksLike(a, b string) bool {
	const longest = 128
	if a == b || max(len(a), len(b)) > longest || digits(a) != digits(b) {
		return false
	}
	if strings.EqualFold(a, b) {
		return true
	}
	allowed := min(len(a), len(b)) / 4
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
