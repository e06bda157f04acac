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

// maxText is the length from which a text in the tree is truncated. API servers
// do not truncate the messages of webhooks.
const maxText = 500

// printable escapes a text for terminals, and truncates it.
func printable(text string) string {
	if len(text) <= maxText {
		return message.Escaped(text)
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes)", message.Escaped(text[:end]), len(text))
}

// formatValue returns a value on one line.
func formatValue(value json.RawMessage) string {
	if value == nil {
		return "(nothing)"
	}
	return printable(string(value))
}

// line returns a series in the notation of Prometheus, with its increase.
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

// formatSeconds rounds a duration to about three digits.
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
