package explain

import (
	"encoding/json"
	"fmt"
)

// Difference is a value of an object that differs from the expected one.
type Difference struct {
	// Path is the path in the object. For a list item that the object lacks it
	// is the path of the list.
	Path Path
	// Name is the path with the merge keys of list items instead of their
	// indexes, as in spec.containers[name=web].image.
	Name string
	// Want and Got are the values; nil is an absent value. For lists of
	// different lengths they are the lists.
	Want, Got json.RawMessage
}

// Subset compares an object with an expected part of it and returns the
// differences in document order; nil if the object contains the part.
//
// Of a map only the keys of the part are compared. A null in the part expects
// the key to be absent or null. List items are matched by the merge keys of
// Kubernetes (name, containerPort, key and so on) if all expected items have
// one and no expected item is ambiguous; the object may then have more items,
// in any order. Other lists must have the same length, and items are compared
// by index. Numbers are equal if their values are, in any notation.
//
// The time is linear in the size of both. An empty part (not null) is contained
// in every object.
//
// Subset returns the errors of Diff.
func Subset(part, object json.RawMessage) ([]Difference, error) {
	r := newReader()
	want, err := r.read(part)
	if err != nil {
		return nil, fmt.Errorf("reading the part of the object: %w", err)
	}
	got, err := r.read(object)
	if err != nil {
		return nil, fmt.Errorf("reading the object: %w", err)
	}
	if want == nil {
		return nil, nil
	}
	var s subsetter
	s.compare(Path{}, "", want, got)
	sortDocument(s.found, func(d *Difference) string { return d.Name })
	return s.found, nil
}

// subsetter collects differences.
type subsetter struct{ found []Difference }

// compare compares an expected value with the object's; nil is an absent value.
// name is the path in the form of Difference.Name.
func (s *subsetter) compare(at Path, name string, want, got *jsonValue) {
	switch {
	case want.raw == nil:
		if got != nil && got.raw != nil {
			s.add(at, name, nil, got)
		}
	case equal(want, got):
	case got == nil || !sameStructure(want, got):
		s.add(at, name, want, got)
	case want.isMap():
		for i, key := range want.keys {
			step := keyStep(key)
			s.compare(at.with(step), string(step.appendTo([]byte(name))), &want.items[i], got.get(key))
		}
	default:
		s.compareLists(at, name, want, got)
	}
}

func (s *subsetter) add(at Path, name string, want, got *jsonValue) {
	s.found = append(s.found, Difference{Path: at, Name: name, Want: want.encode(), Got: got.encode()})
}

func (s *subsetter) compareLists(at Path, name string, want, got *jsonValue) {
	key, indexes := findItems(got.items, want.items)
	if key == "" && len(want.items) != len(got.items) {
		s.add(at, name, want, got)
		return
	}
	for i := range want.items {
		item := &want.items[i]
		if key == "" {
			s.compare(at.Index(i), fmt.Sprintf("%s[%d]", name, i), item, &got.items[i])
			continue
		}
		name := fmt.Sprintf("%s[%s=%s]", name, key, printableWord(fmt.Sprint(item.get(key).raw)))
		if index := indexes[i]; index >= 0 {
			s.compare(at.Index(index), name, item, &got.items[index])
		} else {
			s.add(at, name, item, nil)
		}
	}
}

// findItems returns the first merge key by which all wanted items can be found
// among items, with their indexes; -1 for absent ones. The key is "" if there
// is none.
func findItems(items, wanted []jsonValue) (string, []int) {
	for _, key := range mergeKeys {
		if len(wanted) == 0 || !unique(key, wanted) {
			continue
		}
		if indexes, ok := findItemsBy(key, items, wanted); ok {
			return key, indexes
		}
	}
	return "", nil
}

// findItemsBy reports false if a wanted item is ambiguous.
func findItemsBy(key string, items, wanted []jsonValue) ([]int, bool) {
	at := map[int][]int{}
	for i := range items {
		if v := items[i].get(key); v != nil {
			at[v.id] = append(at[v.id], i)
		}
	}
	indexes := make([]int, len(wanted))
	for i := range wanted {
		switch found := at[wanted[i].get(key).id]; len(found) {
		case 0:
			indexes[i] = -1
		case 1:
			indexes[i] = found[0]
		default:
			return nil, false
		}
	}
	return indexes, true
}
