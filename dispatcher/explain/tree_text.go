package explain

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/gatehouse/internal/message"
)

// longest is how much of a text fits into a line of the tree. Messages of API servers
// are cut by nobody else, and whoever denies a request should be heard.
const maxText = 500

// printable returns a text that a terminal cannot take for anything but text, cut if it
// is long.
func printable(text string) string {
	cut := text
	if len(text) > maxText {
		end := maxText
		for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		cut = text[:end]
	}
	if len(cut) < len(text) {
		return fmt.Sprintf("%s… (%d bytes)", message.Escaped(cut), len(text))
	}
	return message.Escaped(cut)
}

// shownValue returns a value in one line.
func formatValue(value json.RawMessage) string {
	if value == nil {
		return "(nothing)"
	}
	return printable(string(value))
}

// line returns a series as Prometheus writes it, with what was added to it.
func (m *Metric) line() string {
	labels := make([]string, 0, len(m.Labels))
	for _, key := range sortedKeys(m.Labels) {
		labels = append(labels, printable(key)+"="+printable(strconv.Quote(m.Labels[key])))
	}
	text := printable(m.Name)
	if len(labels) > 0 {
		text += "{" + strings.Join(labels, ",") + "}"
	}
	return text + " +" + strconv.FormatFloat(m.Delta, 'g', 6, 64)
}

// length is a duration as people read it, with as many digits as they compare.
func formatSeconds(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
