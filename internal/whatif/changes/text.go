package changes

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/message"
)

// longest is the length of a value in a text, in characters.
const longest = 100

// text returns the text of a change.
func (w *walk) text(c *Change, p location, before, after any) string {
	switch c.Kind {
	case Added:
		return w.subject(c, p) + " added"
	case Removed:
		return w.subject(c, p) + " removed"
	case Renamed:
		return fmt.Sprintf("%s renamed to %s", w.subject(c, location{}), c.NameAfter)
	}
	return w.subject(c, p) + ": " + fieldOf(p) + ": " + describe(w.id, p.last, before, after)
}

// reordered describes the order of the items of a list.
func (w *walk) reordered(p location, before, after []string) string {
	c := w.change(Reordered, p)
	return fmt.Sprintf("%s: %s in another order: %s instead of %s", w.subject(&c, p), fieldOf(p),
		cut(strings.Join(after, ", ")), cut(strings.Join(before, ", ")))
}

// nouns are the names of the kinds that configure admission, for short.
var nouns = map[string]string{
	"MutatingWebhookConfiguration":     "configuration",
	"ValidatingWebhookConfiguration":   "configuration",
	"MutatingAdmissionPolicy":          "policy",
	"ValidatingAdmissionPolicy":        "policy",
	"MutatingAdmissionPolicyBinding":   "binding",
	"ValidatingAdmissionPolicyBinding": "binding",
	"Namespace":                        "namespace",
}

// subject names the object, or the item of it that was added, removed or renamed.
func (w *walk) subject(c *Change, p location) string {
	noun := nouns[w.id.Kind]
	if noun == "" {
		noun = w.id.Kind
	}
	object := noun + " " + w.id.Name
	if w.id.Namespace != "" {
		object = noun + " " + w.id.Namespace + "/" + w.id.Name
	}
	if c.Webhook != "" {
		object = "webhook " + c.Webhook + " of " + object
	}
	if c.Kind == Changed || c.Kind == Reordered || fieldOf(p) == "" {
		return object
	}
	return object + ": " + fieldOf(p)
}

// fieldOf returns the field for the text: within the webhook or the spec.
func fieldOf(p location) string {
	name := p.name
	if p.webhook != "" {
		name = strings.TrimPrefix(name, "webhooks["+p.webhook+"]")
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "."), "spec.")
}

// describe describes the change of a value, without secrets and certificates.
func describe(id Identity, field string, before, after any) string {
	if isSecret(id) || field == "caBundle" {
		return "changed"
	}
	old, now := show(field, before), show(field, after)
	switch {
	case old == now:
		return "changed"
	case before == missing:
		return cut(now) + " added"
	case after == missing:
		return cut(old) + " removed"
	}
	was, wasList := before.([]any)
	is, isList := after.([]any)
	if wasList && isList && (len(was) > 1 || len(is) > 1) {
		return describeLists(was, is)
	}
	old, now = contrast(old, now)
	return now + " instead of " + old
}

// context is how much of the equal parts of two long texts contrast keeps, in
// characters.
const context = 24

// contrast cuts the equal parts of two texts if they are long.
func contrast(a, b string) (string, string) {
	if len(a) <= longest && len(b) <= longest {
		return a, b
	}
	x, y := []rune(a), []rune(b)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	head := max(0, same-context)
	tail := 0
	for tail < min(len(x), len(y))-same && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	tail = max(0, tail-context)
	part := func(text []rune) string {
		middle := cut(string(text[head : len(text)-tail]))
		if head > 0 {
			middle = "…" + middle
		}
		if tail > 0 {
			middle += "…"
		}
		return middle
	}
	return part(x), part(y)
}

// describeLists names the items that are in one list only.
func describeLists(before, after []any) string {
	var parts []string
	if added := itemsOnlyIn(after, before); added != "" {
		parts = append(parts, "with "+added)
	}
	if removed := itemsOnlyIn(before, after); removed != "" {
		parts = append(parts, "without "+removed)
	}
	if len(parts) == 0 {
		return "another order"
	}
	return strings.Join(parts, ", ")
}

func itemsOnlyIn(list, other []any) string {
	var only []string
	for _, item := range list {
		if !slices.ContainsFunc(other, func(o any) bool { return reflect.DeepEqual(o, item) }) {
			only = append(only, cut(show("", item)))
		}
	}
	return cut(strings.Join(only, ", "))
}

// show returns a value on one line.
func show(field string, value any) string {
	if text, ok := value.(string); ok && text != "" {
		return strings.Join(strings.Fields(text), " ")
	}
	if list, ok := value.([]any); ok && len(list) == 1 {
		return show("", list[0])
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "a value"
	}
	if strings.HasSuffix(strings.ToLower(field), "selector") {
		var selector metav1.LabelSelector
		if json.Unmarshal(text, &selector) == nil {
			return metav1.FormatLabelSelector(&selector)
		}
	}
	return string(text)
}

func cut(text string) string { return message.Cut(text, longest) }
