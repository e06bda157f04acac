package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Diff returns the changes between two states of an object, in document order; nil if
// there are none. An empty state (not null) stands for an absent object.
//
// A part that was added or removed is one change. Maps are compared by key. List items
// are matched by the merge keys of Kubernetes (name, containerPort, key and so on) if
// all items have one; otherwise by equality, and the rest by index. An item whose order
// changed is moved; changes within it are listed separately. Numbers are equal if their
// values are, in any notation.
//
// The time is linear in the size of both states. Objects with millions of fields, or
// with paths of megabytes, have parts that are compared as a whole.
//
// Diff returns an error if a state is not JSON.
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
	d := differ{aligner: newAligner()}
	d.compare(from, to)
	return d.changes, nil
}

// differ collects changes while it walks through both states.
type differ struct {
	*aligner
	// from and to are the current paths in the state before and after.
	from, to []pathStep
	changes  []Change
}

// compare compares the value at from with the value at to; nil is an absent value.
func (d *differ) compare(before, after *jsonValue) {
	switch {
	case before == nil && after == nil:
	case before == nil:
		d.changes = append(d.changes, Change{Op: "add", Path: Path{d.to}.String(), New: after.encode()})
	case after == nil:
		d.changes = append(d.changes, Change{Op: "remove", Path: Path{d.from}.String(), Old: before.encode()})
	case before.id == after.id:
	case !sameStructure(before, after):
		d.changes = append(d.changes, Change{
			Op: "replace", Path: Path{d.to}.String(), Old: before.encode(), New: after.encode(),
		})
	case before.kind == valueMap:
		d.compareMaps(before, after)
	default:
		d.compareLists(before, after)
	}
}

// at compares two values one step below.
func (d *differ) at(from, to pathStep, before, after *jsonValue) {
	d.from, d.to = append(d.from, from), append(d.to, to)
	d.compare(before, after)
	d.from, d.to = d.from[:len(d.from)-1], d.to[:len(d.to)-1]
}

func (d *differ) compareMaps(before, after *jsonValue) {
	for _, e := range differences(before, after, len(d.to) == 0) {
		s := pathStep{kind: stepKey, key: e.key}
		d.at(s, s, e.before, e.after)
	}
}

// compareLists reports removed items first, as other diff tools do.
func (d *differ) compareLists(before, after *jsonValue) {
	origins := d.align(before.items, after.items)
	for _, i := range unmatched(origins, len(before.items)) {
		d.at(before.step(i), pathStep{}, &before.items[i], nil)
	}
	inOrder := longestIncreasing(origins)
	for j, i := range origins {
		if i < 0 {
			d.at(pathStep{}, after.step(j), nil, &after.items[j])
			continue
		}
		if !inOrder[j] {
			d.move(before.step(i), after.step(j))
		}
		d.at(before.step(i), after.step(j), &before.items[i], &after.items[j])
	}
}

func (d *differ) move(from, to pathStep) {
	d.changes = append(d.changes, Change{
		Op:   "move",
		From: Path{append(slices.Clip(d.from), from)}.String(),
		Path: Path{append(slices.Clip(d.to), to)}.String(),
	})
}

// difference is a key under which two maps have different values; nil is an absent
// value.
type difference struct {
	key           string
	before, after *jsonValue
}

// differences returns the keys under which two maps differ, in document order.
func differences(before, after *jsonValue, root bool) []difference {
	var found []difference
	i, j := 0, 0
	for i < len(before.keys) || j < len(after.keys) {
		switch {
		case j == len(after.keys) || i < len(before.keys) && before.keys[i].text < after.keys[j].text:
			found = append(found, difference{before.keys[i].text, &before.items[i], nil})
			i++
		case i == len(before.keys) || after.keys[j].text < before.keys[i].text:
			found = append(found, difference{after.keys[j].text, nil, &after.items[j]})
			j++
		default:
			if before.items[i].id != after.items[j].id {
				found = append(found, difference{after.keys[j].text, &before.items[i], &after.items[j]})
			}
			i, j = i+1, j+1
		}
	}
	if root {
		slices.SortStableFunc(found, func(a, b difference) int { return documentOrder(a.key, b.key) })
	}
	return found
}

// documentOrder compares keys at the root, where the well-known keys of objects come
// first, and status last.
func documentOrder(a, b string) int {
	if byRank := rootRank(a) - rootRank(b); byRank != 0 {
		return byRank
	}
	return strings.Compare(a, b)
}

func rootRank(key string) int {
	usual := [...]string{"apiVersion", "kind", "metadata", "spec"}
	if i := slices.Index(usual[:], key); i >= 0 {
		return i
	}
	if key == "status" {
		return len(usual) + 1
	}
	return len(usual)
}

// inDocumentOrder returns the indexes of the items of v in document order.
func (v *jsonValue) inDocumentOrder(root bool) []int {
	order := make([]int, len(v.items))
	for i := range order {
		order[i] = i
	}
	if root && v.kind == valueMap {
		slices.SortStableFunc(order, func(i, j int) int { return documentOrder(v.keys[i].text, v.keys[j].text) })
	}
	return order
}
