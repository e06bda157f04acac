package misuse

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
)

// unknown is the name of a field that there will never be.
const unknown = "gatehouseFieldOfTheFuture"

// extend gives an object the unknown field and, further inside, the first item of each list
// whose items have names: lists are where patches made from typed objects go wrong.
func extend(object map[string]any) {
	for _, value := range object {
		extendWithin(value)
	}
	object[unknown] = true
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
		// What has no name of its own could not be found again.
		if first := named(v, nameOf(v[0])); first != nil {
			extend(first)
		}
	}
}

// nameOf returns the name of an item of a list; empty if it has none.
func nameOf(item any) string {
	object, _ := item.(map[string]any)
	name, _ := object["name"].(string)
	return name
}

// named returns the one item of a list that has a name; nil if there is none, or more than
// one.
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

// lost returns the paths at which an object had the unknown field and has it no longer,
// although what had it is still there. Items of lists are followed by their names.
func lost(before, after any) []string {
	var places []string
	for _, pointer := range lostWithin(before, after) {
		if path, err := explain.ParsePath(pointer); err == nil {
			places = append(places, path.String())
		}
	}
	return places
}

// lostWithin returns JSON pointers.
func lostWithin(before, after any) []string {
	switch was := before.(type) {
	case map[string]any:
		if is, ok := after.(map[string]any); ok {
			return lostFields(was, is)
		}
	case []any:
		is, _ := after.([]any)
		var all []string
		for i, item := range was {
			if same := named(is, nameOf(item)); same != nil {
				all = append(all, under(strconv.Itoa(i), lostWithin(item, same))...)
			}
		}
		return all
	}
	return nil
}

func lostFields(was, is map[string]any) []string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(was)) {
		inner, kept := is[key]
		switch {
		case kept:
			all = append(all, under(key, lostWithin(was[key], inner))...)
		case key == unknown:
			all = append(all, "/"+unknown)
		}
	}
	return all
}

// under returns pointers that begin a step further out.
func under(step string, pointers []string) []string {
	step = "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	for i := range pointers {
		pointers[i] = step + pointers[i]
	}
	return pointers
}
