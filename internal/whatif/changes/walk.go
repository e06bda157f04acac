package changes

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"example.com/gatehouse/internal/manifest"
)

// walk compares both states of an object and makes a third one, which undoes each
// change for which found returns true.
type walk struct {
	pair
	found func(Change) bool
	id    Identity
}

// none is the type of missing.
type none struct{}

// missing stands for a value that does not exist.
var missing any = none{}

// location is a field in both states.
type location struct {
	// name has the names of items, and before and after have their indexes.
	name, before, after string
	// last is the last field of the path, and webhook the webhook that it is in.
	last, webhook string
}

func (p location) field(name string) location {
	dot := "."
	if p.name == "" {
		dot = ""
	}
	return location{p.name + dot + name, p.before + dot + name, p.after + dot + name, name, p.webhook}
}

func (p location) item(name string, before, after int) location {
	index := func(path string, i int) string {
		if i < 0 { // the position is that of the list
			return path
		}
		return fmt.Sprintf("%s[%d]", path, i)
	}
	item := location{p.name + "[" + name + "]", index(p.before, before), index(p.after, after), p.last, p.webhook}
	if p.name == "webhooks" {
		item.webhook = name
	}
	return item
}

// run returns the third state.
func (w *walk) run() any {
	before, after := missing, missing
	if w.after != nil {
		after, w.id = w.after.value, w.after.id
	}
	if w.before != nil {
		before, w.id = w.before.value, w.before.id
	}
	return w.value(location{}, before, after)
}

// opaque are the fields that change as a whole: their parts have no meaning alone.
var opaque = map[string]bool{
	"namespaceSelector": true, "objectSelector": true, "selector": true, "openAPIV3Schema": true,
}

func (w *walk) value(p location, before, after any) any {
	if reflect.DeepEqual(before, after) {
		return after
	}
	oldMap, wasMap := before.(map[string]any)
	newMap, isMap := after.(map[string]any)
	if wasMap && isMap && !opaque[p.last] {
		return w.fields(p, oldMap, newMap)
	}
	oldList, wasList := before.([]any)
	newList, isList := after.([]any)
	if wasList && isList {
		return w.list(p, oldList, newList)
	}
	return w.choose(w.changed(p, before, after), before, after)
}

// fields compares maps by their keys.
func (w *walk) fields(p location, before, after map[string]any) any {
	keys := map[string]bool{}
	for key := range before {
		keys[key] = true
	}
	for key := range after {
		keys[key] = true
	}
	made := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		value := w.value(p.field(key), at(before, key), at(after, key))
		if value != missing {
			made[key] = value
		}
	}
	return made
}

func at(m map[string]any, key string) any {
	if value, ok := m[key]; ok {
		return value
	}
	return missing
}

// choose reports a change and returns the value that the third state has.
func (w *walk) choose(c Change, before, after any) any {
	if w.found(c) {
		return before
	}
	return after
}

// changed returns the change of a value.
func (w *walk) changed(p location, before, after any) Change {
	c := w.change(Changed, p)
	switch {
	case p.name == "" && before == missing:
		c.Kind = Added
	case p.name == "" && after == missing:
		c.Kind = Removed
	case p.name == "metadata.name":
		c.Kind = Renamed
		c.NameBefore, c.NameAfter = fmt.Sprint(before), fmt.Sprint(after)
	}
	c.Text = w.text(&c, p, before, after)
	return c
}

// change returns a change at a location without its text.
func (w *walk) change(kind Kind, p location) Change {
	c := Change{Kind: kind, Object: w.id, Webhook: p.webhook, Field: p.name}
	c.Before, c.After = position(w.before, p.before), position(w.after, p.after)
	return c
}

func position(o *object, field string) manifest.Position {
	if o == nil {
		return manifest.Position{}
	}
	return o.document.At(field)
}
