package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Diff returns the changes between two states of an object, in document order;
// nil if there are none. An empty state (not null) stands for an absent object.
//
// A part that was added or removed is one change. Maps are compared by key.
// List items are matched by the merge keys of Kubernetes (name, containerPort,
// key and so on) if all items have one; otherwise by equality, and the rest by
// their neighbours. An item whose order changed is moved; changes within it are
// listed separately. Numbers are equal if their values are, in any notation.
//
// The time is linear in the size of both states.
//
// Diff returns an error if a state is not JSON, or if it has too many fields,
// as objects of megabytes may have.
func Diff(before, after json.RawMessage) ([]Change, error) {
	r := newReader()
	from, err := r.read(before)
	if err != nil {
		return nil, fmt.Errorf("reading the object before the change: %w", err)
	}
	to, err := r.read(after)
	if err != nil {
		return nil, fmt.Errorf("reading the object after the change: %w", err)
	}
	var d differ
	d.compare(Path{}, Path{}, from, to)
	sortDocument(d.changes, func(c *Change) string { return c.Path })
	return d.changes, nil
}

// differ collects changes while it walks through both states.
type differ struct{ changes []Change }

func (d *differ) add(c Change) { d.changes = append(d.changes, c) }

// compare compares the value at from with the value at to; nil is an absent
// value.
func (d *differ) compare(from, to Path, before, after *jsonValue) {
	switch {
	case equal(before, after):
	case before == nil:
		d.add(Change{Op: "add", Path: to.String(), New: after.encode()})
	case after == nil:
		d.add(Change{Op: "remove", Path: from.String(), Old: before.encode()})
	case !sameStructure(before, after):
		d.add(Change{Op: "replace", Path: to.String(), Old: before.encode(), New: after.encode()})
	case before.isMap():
		for _, key := range unionKeys(before, after) {
			d.compare(from.Key(key), to.Key(key), before.get(key), after.get(key))
		}
	default:
		d.compareLists(from, to, before.items, after.items)
	}
}

// unionKeys returns the sorted keys of two maps.
func unionKeys(a, b *jsonValue) []string {
	all := slices.Concat(a.keys, b.keys)
	slices.Sort(all)
	return slices.Compact(all)
}

// compareLists reports removed items first, as other diff tools do.
func (d *differ) compareLists(from, to Path, before, after []jsonValue) {
	origins := align(before, after)
	for i, matched := range matchedItems(origins, len(before)) {
		if !matched {
			d.compare(from.Index(i), Path{}, &before[i], nil)
		}
	}
	inOrder := longestIncreasing(origins)
	for j, i := range origins {
		at := to.Index(j)
		if i < 0 {
			d.compare(Path{}, at, nil, &after[j])
			continue
		}
		if !inOrder[j] {
			d.add(Change{Op: "move", From: from.Index(i).String(), Path: at.String()})
		}
		d.compare(from.Index(i), at, &before[i], &after[j])
	}
}

// sortDocument sorts items by the first key of their paths: the well-known keys
// of objects come first, and status last. Otherwise it keeps their order.
func sortDocument[T any](items []T, path func(*T) string) {
	slices.SortStableFunc(
		items, func(a, b T) int { return cmp.Compare(rootRank(path(&a)), rootRank(path(&b))) })
}

func rootRank(path string) int {
	usual := []string{"apiVersion", "kind", "metadata", "spec"}
	if i := strings.IndexAny(path, ".["); i >= 0 {
		path = path[:i]
	}
	switch i := slices.Index(usual, path); {
	case i >= 0:
		return i
	case path == "status":
		return len(usual) + 1
	}
	return len(usual)
}
