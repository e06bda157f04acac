package explain

import (
	"encoding/json"
	"slices"
	"strings"
)

// ForWebhook returns a copy of e that is limited to the webhooks with a name,
// given as NAME or CONFIGURATION/NAME: their rounds, the fields they wrote,
// their warnings, audit annotations and metrics. The request, its outcome and
// the object stay. e is not changed; the copy shares memory with it.
func (e *Explanation) ForWebhook(webhook string) *Explanation {
	filtered := *e
	filtered.Rounds = []Round{}
	for _, r := range e.Rounds {
		r.Webhooks = filter(r.Webhooks, func(w *Webhook) bool { return w.isNamed(webhook) })
		if len(r.Webhooks) > 0 {
			filtered.Rounds = append(filtered.Rounds, r)
		}
	}
	filtered.filterFields(func(_ string, writes []Write) bool {
		for i := range writes {
			if writes[i].Writer.isNamed(webhook) {
				return true
			}
		}
		return false
	})
	filtered.Metrics = filter(e.Metrics,
		func(m *Metric) bool { return filtered.hasWebhook(m.Labels["name"]) })
	filtered.Warnings = filter(e.Warnings,
		func(text *string) bool { return filtered.hasWarning(*text) })
	filtered.AuditAnnotations = filter(e.AuditAnnotations,
		func(a *Annotation) bool { return filtered.concernsWebhook(a, webhook) })
	return &filtered
}

// hasWarning reports whether a webhook of e returned the warning.
func (e *Explanation) hasWarning(text string) bool {
	found := false
	e.eachCall(func(_ *Webhook, c *Call) { found = found || slices.Contains(c.Warnings, text) })
	return found
}

// concernsWebhook reports whether an annotation concerns a webhook of e. The
// annotations of the engine have the webhook's name in their value, as JSON or
// alone (S-310 to S-316); the keys of a webhook's own annotations begin with
// its name.
func (e *Explanation) concernsWebhook(a *Annotation, webhook string) bool {
	var about struct{ Configuration, Webhook string }
	if json.Unmarshal([]byte(a.Value), &about) == nil && about.Webhook != "" {
		return matchesName(webhook, about.Configuration, about.Webhook)
	}
	prefix, _, _ := strings.Cut(a.Key, "/")
	return e.hasWebhook(a.Value) || e.hasWebhook(prefix)
}

// ForPath returns a copy of e whose fields are limited to those at or below a
// path. Items that the path names by their keys are looked up in the fields of
// e. All else stays. e is not changed; the copy shares memory with it.
func (e *Explanation) ForPath(path Path) *Explanation {
	filtered := *e
	paths := e.findItems(path)
	filtered.filterFields(func(text string, _ []Write) bool {
		at, err := ParsePath(text)
		return err == nil && slices.ContainsFunc(paths, func(p Path) bool { return p.Covers(at) })
	})
	return &filtered
}

// filterFields keeps the fields, removed fields and fights that are wanted by
// their path and all of their writers.
func (e *Explanation) filterFields(wanted func(path string, writes []Write) bool) {
	field := func(f *Field) bool {
		return wanted(f.Path, append(f.Earlier[:len(f.Earlier):len(f.Earlier)], Write{Writer: f.Writer}))
	}
	e.Fields, e.Removed = filter(e.Fields, field), filter(e.Removed, field)
	e.Fights = filter(e.Fights, func(f *Fight) bool { return wanted(f.Path, f.Writes) })
}

// hasWebhook reports whether e has a webhook with the name.
func (e *Explanation) hasWebhook(name string) bool {
	for _, w := range e.webhooks() {
		if w.Name == name {
			return true
		}
	}
	return false
}

func (w *Webhook) isNamed(name string) bool { return matchesName(name, w.Configuration, w.Name) }

// isNamed reports whether the writer is a webhook with the name, or the
// defaulting after its patch.
func (w *Writer) isNamed(name string) bool {
	return w.Webhook != "" && matchesName(name, w.Configuration, w.Webhook)
}

func matchesName(name, configuration, webhook string) bool {
	return name == webhook || name == configuration+"/"+webhook
}

// filter returns the wanted items. The result is never nil, as in all
// Explanations.
func filter[T any](items []T, wanted func(*T) bool) []T {
	left := []T{}
	for i := range items {
		if wanted(&items[i]) {
			left = append(left, items[i])
		}
	}
	return left
}
