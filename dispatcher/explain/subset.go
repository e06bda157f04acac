package explain

import (
	"encoding/json"
	"fmt"
)

// Difference is where an object is not what somebody wants it to be.
type Difference struct {
	// Path is where it is in the object, or would be. For an item that is in no place
	// of a list it is the path of the list.
	Path Path
	// Name is the path in the words of whoever knows what is wanted: items have what
	// tells them apart in place of an index, as in spec.containers[name=web].image.
	Name string
	// Want and Got are the values; nil is none. Two lists are not of the same length.
	Want, Got json.RawMessage
}

// Subset returns where an object does not have what a part of it has, in document order;
// nil if it has all of that.
//
// Of a map only the keys that the part has are looked at. A null there says that the key
// is absent, or null. The items of a list are found by what Kubernetes tells them apart by
// (name, containerPort, key and so on), if all that the part has of them have it and none
// of them is there twice; the object may then have other items, and in any order. Every
// other list has the same length, and each item of it is compared with the one in its
// place. Numbers are equal if they are the same number, however it is written.
//
// The time that it takes is little more than that of reading both, as it is for Diff. No
// part (empty, not null) is a part of everything.
//
// It is an error if one of the two is not JSON.
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

// subsetter collects differences on a walk through a part.
type subsetter struct {
	path []pathStep
	// name is the path in the words of Difference.Name.
	name  []byte
	found []Difference
}

// compare compares what is wanted with what is at the same place of the object. Nil is
// nothing.
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

// at compares what is a step further.
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

// compareItem compares an item with the one in a place of the list, or with nothing if
// the place is negative.
func (s *subsetter) compareItem(want, list *jsonValue, index int) {
	if index < 0 {
		s.add(want, nil)
		return
	}
	s.at(list.step(index), want, &list.items[index])
}

// placesIn returns the first key by which all wanted items can be found among others, and
// where each of them is; -1 for nowhere. Without such a key it returns "".
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

// placesBy reports false if a wanted item would be in two places.
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
