package explain

import (
	"encoding/json"
	"slices"
)

// findItems returns the paths that a path stands for, with the indexes of the
// items that it names by their keys; none if there is no such item.
func (e *Explanation) findItems(path Path) []Path {
	at := slices.IndexFunc(path.steps, func(s pathStep) bool { return s.kind == stepItem })
	if at < 0 {
		return []Path{path}
	}
	list, step, below := Path{path.steps[:at]}, path.steps[at], path.steps[at+1:]
	var all []Path
	for _, item := range e.itemsWith(list, step.keys) {
		for _, s := range below {
			item = item.with(s)
		}
		all = append(all, e.findItems(item)...)
	}
	return all
}

// itemsWith returns the paths of the items of the lists at a path that have all
// keys.
func (e *Explanation) itemsWith(list Path, keys []itemKey) []Path {
	var items []Path
	matched := map[string]int{}
	for _, fields := range [][]Field{e.Fields, e.Removed} {
		for i := range fields {
			path, err := ParsePath(fields[i].Path)
			if err != nil || len(path.steps) <= len(list.steps) || !list.Covers(path) ||
				path.steps[len(list.steps)].kind != stepIndex {
				continue
			}
			item := Path{path.steps[:len(list.steps)+1]}
			for _, k := range keys {
				if k.isAt(path.steps[len(list.steps)+1:]) && fields[i].hadValue(k.value) {
					matched[item.String()]++
				}
			}
			if matched[item.String()] == len(keys) {
				items, matched[item.String()] = append(items, item), 0
			}
		}
	}
	return items
}

// isAt reports whether the key is at a path that starts from the item.
func (k *itemKey) isAt(steps []pathStep) bool {
	if k.name == "" {
		return len(steps) == 0
	}
	return len(steps) == 1 && steps[0].kind == stepKey && steps[0].text == k.name
}

// hadValue reports whether a field has a value, or had it last if it was
// removed. The value is a string, or the text of another scalar.
func (f *Field) hadValue(want string) bool {
	value := f.Value
	for i := len(f.Earlier) - 1; i >= 0 && value == nil; i-- {
		value = f.Earlier[i].Value
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text == want
	}
	return string(value) == want
}
