package expect

import (
	"fmt"
	"strings"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/message"
)

const (
	// longest is how much of a text fits into a line.
	longest = 500
	// most is how many of a list do.
	most = 5
)

// shown returns a text that a terminal cannot take for anything but text, cut if it is
// long.
func shown(text string) string { return message.Escaped(limits.Cut(text, longest)) }

// quoted is shown in quotes, of which the text has none if that can be: nothing in it is
// doubled, so that it can be searched for.
func quoted(text string) string {
	text = shown(text)
	if strings.Contains(text, `"`) && !strings.Contains(text, "`") {
		return "`" + text + "`"
	}
	return `"` + text + `"`
}

// listed is the beginning of a list, on one line.
func listed(words []string) string { return few(words, shown) }

// enumerated is a list in a sentence: a, b and c.
func enumerated(words []string) string {
	if last := len(words) - 1; 0 < last && last < most {
		return listed(words[:last]) + " and " + shown(words[last])
	}
	return listed(words)
}

// quotedList is as listed, with quotes.
func quotedList(texts []string) string { return few(texts, quoted) }

// few is the beginning of a list, each item in the form that is given.
func few(items []string, form func(string) string) string {
	short := make([]string, 0, most)
	for _, item := range items[:min(len(items), most)] {
		short = append(short, form(item))
	}
	text := strings.Join(short, ", ")
	if rest := len(items) - most; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// after is a text after a colon; nothing if there is none.
func after(text string) string {
	if text == "" {
		return ""
	}
	return ": " + shown(text)
}

// counted is 1 item, 2 items.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
