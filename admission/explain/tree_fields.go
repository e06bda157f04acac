package explain

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// remains shows what is left of a request: who wrote what, what was removed, who fought
// over it, annotations and metrics.
func (e *Explanation) remains(t *twig) {
	e.written(t)
	if len(e.Fights) > 0 {
		below := t.add(notable, "webhooks fight")
		for _, f := range e.Fights {
			at := below.add(notable, "%s", printable(f.Path))
			for _, w := range f.Writes {
				at.add(plain, "%s by %s", shownValue(w.Value), w.Writer)
			}
		}
	}
	if len(e.AuditAnnotations) > 0 {
		below := t.add(plain, "audit annotations")
		for _, a := range e.AuditAnnotations {
			below.add(faint, "%s: %s", printable(a.Key), printable(a.Value))
		}
	}
	if len(e.Metrics) > 0 {
		below := t.add(plain, "metrics")
		for _, m := range e.Metrics {
			below.add(faint, "%s +%s", m.series(), strconv.FormatFloat(m.Delta, 'g', 6, 64))
		}
	}
}

// written shows the fields that somebody else than the author wrote.
func (e *Explanation) written(t *twig) {
	below := &twig{text: "fields that others wrote than the author of the request"}
	for _, f := range e.Fields {
		if f.Writer.By != ByUser && f.Writer.By != ByStored {
			f.grow(below)
		}
	}
	for _, f := range e.Removed {
		below.add(plain, "- %s removed by %s", printable(f.Path), f.Writer)
	}
	if len(below.twigs) > 0 {
		t.twigs = append(t.twigs, below)
	}
}

// Blame writes who wrote a field, and what was there before.
func (f *Field) grow(t *twig) {
	below := t.add(plain, "%s: %s by %s", printable(f.Path), shownValue(f.Value), f.Writer)
	for i := len(f.Earlier) - 1; i >= 0; i-- {
		w := f.Earlier[i]
		below.add(faint, "before that %s by %s", shownValue(w.Value), w.Writer)
	}
}

// String returns the writer as people name it.
func (w Writer) String() string {
	switch w.By {
	case ByStored:
		return "what was stored"
	case ByUser:
		return "the author"
	case ByServer:
		return "the server"
	case ByConversion:
		return "conversion"
	case ByDefaulting:
		if w.Webhook == "" {
			return "defaulting"
		}
		return "defaulting after " + printable(w.Webhook)
	}
	text := printable(w.Webhook)
	if w.Round > 0 {
		text += fmt.Sprintf(" in round %d", w.Round)
	}
	if w.Through != nil {
		text += " in " + strings.Trim(w.Through.Group+"/"+w.Through.Version, "/")
	}
	return text
}

func (c *Change) line() string {
	switch c.Op {
	case "add":
		return fmt.Sprintf("+ %s: %s", printable(c.Path), shownValue(c.New))
	case "remove":
		return fmt.Sprintf("- %s: %s", printable(c.Path), shownValue(c.Old))
	}
	return fmt.Sprintf("~ %s: %s → %s", printable(c.Path), shownValue(c.Old), shownValue(c.New))
}

func (m *Metric) series() string {
	labels := make([]string, 0, len(m.Labels))
	for _, key := range sortedKeys(m.Labels) {
		labels = append(labels, fmt.Sprintf("%s=%q", key, m.Labels[key]))
	}
	if len(labels) == 0 {
		return m.Name
	}
	return m.Name + "{" + strings.Join(labels, ",") + "}"
}

// shownValue returns a value in one line.
func shownValue(value json.RawMessage) string {
	if value == nil {
		return "(removed)"
	}
	return printable(string(value))
}

// longest is how much of a text fits into a line of the tree.
const longest = 300

// printable returns a text that a terminal cannot take for anything but text, cut if it
// is long.
func printable(text string) string {
	cut := text
	if len(text) > longest {
		end := longest
		for !utf8.RuneStart(text[end]) {
			end--
		}
		cut = text[:end]
	}
	var out strings.Builder
	for _, r := range cut {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	if len(cut) < len(text) {
		fmt.Fprintf(&out, "… (%d bytes)", len(text))
	}
	return out.String()
}
