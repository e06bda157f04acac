package expect

import (
	"fmt"
	"strings"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/message"
)

const (
	// maxText is the number of bytes of a text in a line.
	maxText = 500
	// maxItems is the number of items of a list in a line.
	maxItems = 5
)

// shown returns a text escaped for terminals, and truncated if it is long.
func shown(text string) string { return message.Escaped(limits.Cut(text, maxText)) }

// quoted returns shown in quotes that do not occur in the text if possible, so
// that it needs no further escapes and can be searched for.
func quoted(text string) string {
	text = shown(text)
	if strings.Contains(text, `"`) && !strings.Contains(text, "`") {
		return "`" + text + "`"
	}
	return `"` + text + `"`
}

// listed returns the beginning of a list, on one line.
func listed(words []string) string { return formatList(words, shown) }

// enumerated returns a list in a sentence: a, b and c.
func enumerated(words []string) string {
	if last := len(words) - 1; 0 < last && last < maxItems {
		return listed(words[:last]) + " and " + shown(words[last])
	}
	return listed(words)
}

// quotedList is listed with quotes.
func quotedList(texts []string) string { return formatList(texts, quoted) }

// formatList formats the beginning of a list.
func formatList(items []string, form func(string) string) string {
	short := make([]string, 0, maxItems)
	for _, item := range items[:min(len(items), maxItems)] {
		short = append(short, form(item))
	}
	text := strings.Join(short, ", ")
	if rest := len(items) - maxItems; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// afterColon returns a text after a colon; "" if it is empty.
func afterColon(text string) string {
	if text == "" {
		return ""
	}
	return ": " + shown(text)
}
