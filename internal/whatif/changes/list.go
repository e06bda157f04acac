package changes

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// list compares lists: by the names of their items if all have one, by their
// indexes if there are as many maps in both, and otherwise as a whole.
func (w *walk) list(p location, before, after []any) any {
	_, wereNamed := namesOf(before)
	_, areNamed := namesOf(after)
	switch {
	case wereNamed && areNamed:
		return w.named(p, before, after)
	case len(before) == len(after) && allMaps(before) && allMaps(after):
		made := make([]any, len(after))
		for i := range after {
			made[i] = w.value(p.item(strconv.Itoa(i), i, i), before[i], after[i])
		}
		return made
	}
	return w.choose(w.changed(p, before, after), before, after)
}

func allMaps(list []any) bool {
	return !slices.ContainsFunc(list, func(item any) bool {
		_, ok := item.(map[string]any)
		return !ok
	})
}

// nameFields are the fields that hold the names of items.
var nameFields = []string{"name", "key"}

// nameOf returns the name of an item.
func nameOf(item any) (field, name string) {
	m, _ := item.(map[string]any)
	for _, field := range nameFields {
		if name, ok := m[field].(string); ok && name != "" {
			return field, name
		}
	}
	return "", ""
}

// namesOf returns the names of the items, if all have one of their own.
func namesOf(list []any) ([]string, bool) {
	var names []string
	for _, item := range list {
		_, name := nameOf(item)
		if name == "" || slices.Contains(names, name) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

// item is an item of the third state of a list.
type item struct {
	value any
	// rank is the index before; -1 for one that was added.
	rank int
}

// named compares lists by the names of their items.
func (w *walk) named(p location, before, after []any) any {
	old, _ := namesOf(before)
	names, _ := namesOf(after)
	was := namesBefore(before, after)
	var made []item
	var ranks []int
	for i, name := range names {
		rank := slices.Index(old, was[name])
		value := any(nil)
		if rank >= 0 {
			ranks = append(ranks, rank)
			value = w.renamed(p.item(was[name], rank, i), before[rank], after[i])
		} else {
			at := p.item(name, -1, i)
			value = w.choose(w.whole(Added, at), missing, after[i])
		}
		if value != missing {
			made = append(made, item{value, rank})
		}
	}
	for rank, name := range old {
		if slices.Contains(ranks, rank) {
			continue
		}
		at := p.item(name, rank, -1)
		if w.choose(w.whole(Removed, at), before[rank], missing) != missing {
			made = insert(made, item{before[rank], rank})
		}
	}
	if !slices.IsSorted(ranks) {
		c := w.change(Reordered, p)
		c.Text = w.reordered(p, old, names)
		if w.found(c) {
			reorder(made)
		}
	}
	values := []any{}
	for _, m := range made {
		values = append(values, m.value)
	}
	return values
}

// renamed compares items, which may have different names.
func (w *walk) renamed(p location, before, after any) any {
	field, old := nameOf(before)
	_, now := nameOf(after)
	if old == now {
		return w.value(p, before, after)
	}
	c := w.change(Renamed, p)
	c.NameBefore, c.NameAfter = old, now
	c.Text = w.subject(&c, p) + " renamed to " + now
	name := w.choose(c, old, now)
	made := maps.Clone(after.(map[string]any))
	made[field] = name
	return made
}

// whole returns the change of an item that is in one state only.
func (w *walk) whole(kind Kind, p location) Change {
	c := w.change(kind, p)
	c.Text = w.subject(&c, p) + map[Kind]string{Added: " added", Removed: " removed"}[kind]
	return c
}

// namesBefore returns the names that the items had before. Items that are equal
// but for the name were renamed.
func namesBefore(before, after []any) map[string]string {
	old, _ := namesOf(before)
	now, _ := namesOf(after)
	was := map[string]string{}
	var removed []int
	for i, name := range old {
		if slices.Contains(now, name) {
			was[name] = name
		} else {
			removed = append(removed, i)
		}
	}
	for i, name := range now {
		if was[name] != "" {
			continue
		}
		at := slices.IndexFunc(removed, func(r int) bool { return equalButName(before[r], after[i]) })
		if at >= 0 {
			was[name] = old[removed[at]]
			removed = slices.Delete(removed, at, at+1)
		}
	}
	return was
}

func equalButName(before, after any) bool {
	field, _ := nameOf(before)
	other, _ := nameOf(after)
	a, b := maps.Clone(before.(map[string]any)), maps.Clone(after.(map[string]any))
	delete(a, field)
	delete(b, other)
	return field == other && reflect.DeepEqual(a, b)
}

// insert puts an item behind the last one that was before it.
func insert(list []item, one item) []item {
	at, last := 0, -1
	for i, other := range list {
		if other.rank < one.rank && other.rank > last {
			at, last = i+1, other.rank
		}
	}
	return slices.Insert(list, at, one)
}

// reorder restores the order of the items that were there before. Others stay
// where they are.
func reorder(list []item) {
	var old []item
	for _, one := range list {
		if one.rank >= 0 {
			old = append(old, one)
		}
	}
	slices.SortFunc(old, func(a, b item) int { return a.rank - b.rank })
	for i := range list {
		if list[i].rank >= 0 {
			list[i], old = old[0], old[1:]
		}
	}
}
