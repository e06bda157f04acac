package fix

import (
	"slices"
	"strings"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/manifest"
)

// edit changes an object. It is made with others, in any order, and perhaps twice.
type edit struct {
	document *manifest.Document
	apply    func(object map[string]any)
}

// remedy returns the edits after which a finding is gone; none if they depend on what
// the webhook does.
type remedy func(c *lint.Cluster, f *lint.Finding) []edit

// ofWebhook returns a remedy for findings about a webhook.
func ofWebhook(of func(c *lint.Cluster, f *lint.Finding, w *inventory.Webhook) []edit) remedy {
	return func(c *lint.Cluster, f *lint.Finding) []edit {
		i := slices.IndexFunc(c.Webhooks, func(w *inventory.Webhook) bool {
			return w.Document == f.Document && (f.Field == w.Field || strings.HasPrefix(f.Field, w.Field+"."))
		})
		if i < 0 {
			return nil
		}
		return of(c, f, c.Webhooks[i])
	}
}

// editWebhook returns the edit of a webhook in its configuration.
func editWebhook(c *lint.Cluster, w *inventory.Webhook, apply func(webhook map[string]any)) edit {
	index := 0
	for _, other := range c.Webhooks {
		if other == w {
			break
		}
		if other.Document == w.Document {
			index++
		}
	}
	return edit{w.Document, func(object map[string]any) {
		list, _ := object["webhooks"].([]any)
		if webhook, ok := at(list, index).(map[string]any); ok {
			apply(webhook)
		}
	}}
}

func at(list []any, i int) any {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// child returns the object in a field, which it adds if there is none.
func child(object map[string]any, name string) map[string]any {
	value, ok := object[name].(map[string]any)
	if !ok {
		value = map[string]any{}
		object[name] = value
	}
	return value
}

// items returns the objects of a list in a field.
func items(object map[string]any, name string) []map[string]any {
	list, _ := object[name].([]any)
	var all []map[string]any
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			all = append(all, o)
		}
	}
	return all
}

// add adds an item to a list in a field, unless it is there.
func add(object map[string]any, name string, item any) {
	list, _ := object[name].([]any)
	if text, ok := item.(string); ok && slices.Contains(list, any(text)) {
		return
	}
	object[name] = append(list, item)
}
