package misuse

import (
	"maps"
	"slices"

	"example.com/gatehouse/dispatcher/explain"
)

// unknownField is the name of a field that Kubernetes will never have.
const unknownField = "gatehouseFieldOfTheFuture"

// extend adds the unknown field to an object and, further inside, to the first
// item of each list whose items have names: patches made from typed objects
// often fail at lists.
func extend(object map[string]any) {
	for _, value := range object {
		extendWithin(value)
	}
	object[unknownField] = true
}

func extendWithin(value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			extendWithin(inner)
		}
	case []any:
		if len(v) == 0 {
			return
		}
		// An item without a unique name could not be found in the result.
		if first := named(v, nameOf(v[0])); first != nil {
			extend(first)
		}
	}
}

// nameOf returns the name of a list item; empty if it has none.
func nameOf(item any) string {
	object, _ := item.(map[string]any)
	name, _ := object["name"].(string)
	return name
}

// named returns the only item of a list with a name; nil if there is none, or
// more than one.
func named(list []any, name string) map[string]any {
	var found map[string]any
	for _, item := range list {
		if name == "" || nameOf(item) != name {
			continue
		}
		if found != nil {
			return nil
		}
		found, _ = item.(map[string]any)
	}
	return found
}

// lostPaths returns the paths of unknown fields that the value at a path no
// longer has although their parents remain. List items are matched by name.
func lostPaths(at explain.Path, before, after any) []string {
	var all []string
	switch was := before.(type) {
	case map[string]any:
		is, _ := after.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(was)) {
			inner, kept := is[key]
			switch {
			case kept:
				all = append(all, lostPaths(at.Key(key), was[key], inner)...)
			case is != nil && key == unknownField:
				all = append(all, at.Key(key).String())
			}
		}
	case []any:
		is, _ := after.([]any)
		for i, item := range was {
			if same := named(is, nameOf(item)); same != nil {
				all = append(all, lostPaths(at.Index(i), item, same)...)
			}
		}
	}
	return all
}
