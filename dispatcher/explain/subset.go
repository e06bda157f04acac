package explain

import (
	"encoding/json"
	"fmt"
)

// Difference is a value of an object that differs from the expected one.
type Difference struct {
	// Path is the path in the object. For a list item that the object lacks it is the
	// path of the list.
	Path Path
	// Name is the path with the merge keys of list items instead of their indexes, as in
	// spec.containers[name=web].image.
	Name string
	// Want and Got are the values; nil is an absent value. For lists of different
	// lengths they are the lists.
	Want, Got json.RawMessage
}

// Subset compares an object with an expected part of it and returns the differences in
// document order; nil if the object contains the part.
//
// Of a map only the keys of the part are compared. A null in the part expects the key to
// be absent or null. List items are matched by the merge keys of Kubernetes (name,
// containerPort, key and so on) if all expected items have one and no expected item is
// ambiguous; the object may then have more items, in any order. Other lists must have
// the same length, and items are compared by index. Numbers are equal if their values
// are, in any notation.
//
// The time is linear in the size of both, as for Diff. An empty part (not null) is
// contained in every object.
//
// Subset returns an error if the part or the object is not JSON.
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
	s.compare(want, got)
	return s.found, nil
}

// subsetter collects differences while it walks through a part.
type subsetter struct {
	path []pathStep
	// name is the path in the form of Difference.Name.
	name  []byte
	found []Difference
}

// compare compares an expected value with the object's; nil is an absent value.
func (s *subsetter) compare(want, got *jsonValue) {
	switch {
	case want.isNull():
		if got != nil && !got.isNull() {
			s.add(nil, got)
		}
	case got != nil && want.id == got.id:
	case got == nil || !want.isPart() || want.kind != got.kind || want.opaque:
		s.add(want, got)
	case want.kind == valueMap:
		s.compareMaps(want, got)
	default:
		s.compareLists(want, got)
	}
}

func (v *jsonValue) isNull() bool { return v.kind == valueLiteral && v.text == "null" }

func (s *subsetter) add(want, got *jsonValue) {
	s.found = append(s.found, Difference{
		Path: Path{append([]pathStep(nil), s.path...)}, Name: string(s.name), Want: want.encode(), Got: got.encode(),
	})
}

func (s *subsetter) compareMaps(want, got *jsonValue) {
	for _, i := range want.inDocumentOrder(len(s.path) == 0) {
		step := want.step(i)
		before := s.name
		s.name = step.appendTo(s.name)
		s.at(step, &want.items[i], got.get(step.key))
		s.name = before
	}
}

// at compares two values one step below.
func (s *subsetter) at(step pathStep, want, got *jsonValue) {
	s.path = append(s.path, step)
	s.compare(want, got)
	s.path = s.path[:len(s.path)-1]
}

func (s *subsetter) compareLists(want, got *jsonValue) {
	key, indexes := findItems(got.items, want.items)
	if key == "" && len(want.items) != len(got.items) {
		s.add(want, got)
		return
	}
	for i := range want.items {
		before := s.name
		if key == "" {
			step := want.step(i)
			s.name = step.appendTo(s.name)
			s.at(step, &want.items[i], &got.items[i])
		} else {
			s.name = fmt.Appendf(s.name, "[%s=%s]", key, printableWord(want.items[i].get(key).text))
			s.compareItem(&want.items[i], got, indexes[i])
		}
		s.name = before
	}
}

// compareItem compares an item with the one at an index of the list; a negative index
// stands for an absent item.
func (s *subsetter) compareItem(want, list *jsonValue, index int) {
	if index < 0 {
		s.add(want, nil)
		return
	}
	s.at(list.step(index), want, &list.items[index])
}

// findItems returns the first merge key by which all wanted items can be found among
// items, with their indexes; -1 for absent ones. The key is "" if there is none.
func findItems(items, wanted []jsonValue) (string, []int) {
	if len(wanted) == 0 {
		return "", nil
	}
	for _, key := range mergeKeys() {
		if !unique(key, wanted) {
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
	const missing, ambiguous = -1, -2
	at := make(map[int32]int, len(wanted))
	for i := range wanted {
		at[wanted[i].get(key).id] = missing
	}
	for i := range items {
		v := items[i].get(key)
		if v == nil {
			continue
		}
		if index, ok := at[v.id]; ok && index == missing {
			at[v.id] = i
		} else if ok {
			at[v.id] = ambiguous
		}
	}
	indexes := make([]int, len(wanted))
	for i := range wanted {
		indexes[i] = at[wanted[i].get(key).id]
		if indexes[i] == ambiguous {
			return nil, false
		}
	}
	return indexes, true
}
