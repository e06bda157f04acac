package behaviour

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// document is an object while the operations of a patch are applied to it, one after the
// other. It knows a patch that applies: where there would be errors, it is of no use any more.
type document struct{ root any }

// apply applies an operation, and reports whether it knew how to.
func (d *document) apply(o *operation) bool {
	switch o.Op {
	case "test":
		return true
	case "add":
		return d.edit(o.Path, put(o.value(), true))
	case "replace":
		if o.Path == "" {
			d.root = o.value()
			return true
		}
		return d.edit(o.Path, put(o.value(), false))
	case "remove":
		return d.edit(o.Path, remove)
	case "move":
		value, ok := d.at(o.From)
		return ok && d.edit(o.From, remove) && d.edit(o.Path, put(value, true))
	case "copy":
		value, ok := d.at(o.From)
		return ok && d.edit(o.Path, put(runtime.DeepCopyJSONValue(value), true))
	}
	return false
}

// at returns what is at a place; false if that is nothing.
func (d *document) at(pointer string) (any, bool) {
	value := d.root
	for _, step := range steps(pointer) {
		var ok bool
		if value, ok = below(value, step); !ok {
			return nil, false
		}
	}
	return value, true
}

// edit has what a place is in changed.
func (d *document) edit(pointer string, change editor) bool {
	way := steps(pointer)
	if len(way) == 0 {
		return false
	}
	root, ok := edited(d.root, way, change)
	if ok {
		d.root = root
	}
	return ok
}

// editor changes one item of an object or a list, and returns that.
type editor func(container any, step string) (any, bool)

// edited has the editor change what the last step is in. Only lists become other ones.
func edited(value any, way []string, change editor) (any, bool) {
	if len(way) == 1 {
		return change(value, way[0])
	}
	next, ok := below(value, way[0])
	if !ok {
		return nil, false
	}
	if next, ok = edited(next, way[1:], change); !ok {
		return nil, false
	}
	return put(next, false)(value, way[0])
}

// put is an editor that adds a value, which in a list goes between others, or replaces one.
func put(value any, add bool) editor {
	return func(container any, step string) (any, bool) {
		switch container := container.(type) {
		case map[string]any:
			container[step] = value
			return container, true
		case []any:
			if add && step == "-" {
				return append(container, value), true
			}
			n, err := strconv.Atoi(step)
			switch {
			case err != nil || n < 0:
			case add && n <= len(container):
				return slices.Insert(container, n, value), true
			case !add && n < len(container):
				container[n] = value
				return container, true
			}
		}
		return nil, false
	}
}

// remove is an editor that takes an item away.
func remove(container any, step string) (any, bool) {
	if _, ok := below(container, step); !ok {
		return nil, false
	}
	switch container := container.(type) {
	case map[string]any:
		delete(container, step)
		return container, true
	case []any:
		n, err := strconv.Atoi(step)
		return slices.Delete(container, n, n+1), err == nil
	}
	return nil, false
}

// below returns what is one step down from a value.
func below(value any, step string) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		next, ok := value[step]
		return next, ok
	case []any:
		if n, err := strconv.Atoi(step); err == nil && n >= 0 && n < len(value) {
			return value[n], true
		}
	}
	return nil, false
}

// steps returns the way to a place; none to the root.
func steps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	way := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i := range way {
		way[i] = unescape.Replace(way[i])
	}
	return way
}
