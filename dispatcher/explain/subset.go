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
func (s *subsetter) compare(want, got *datum) {
	switch {
	case want.null():
		if got != nil && !got.null() {
			s.differ(nil, got)
		}
	case got != nil && want.id == got.id:
	case got == nil || !want.part() || want.kind != got.kind || want.sealed:
		s.differ(want, got)
	case want.kind == datumMap:
		s.compareMaps(want, got)
	default:
		s.compareLists(want, got)
	}
}

func (v *datum) null() bool { return v.kind == datumWord && v.text == "null" }

func (s *subsetter) differ(want, got *datum) {
	s.found = append(s.found, Difference{
		Path: Path{append([]pathStep(nil), s.path...)}, Name: string(s.name), Want: want.encode(), Got: got.encode(),
	})
}

func (s *subsetter) compareMaps(want, got *datum) {
	for _, i := range want.inDocumentOrder(len(s.path) == 0) {
		step := want.step(i)
		before := s.name
		s.name = step.appendTo(s.name)
		s.at(step, &want.items[i], got.at(step.key))
		s.name = before
	}
}

// at compares what is a step further.
func (s *subsetter) at(step pathStep, want, got *datum) {
	s.path = append(s.path, step)
	s.compare(want, got)
	s.path = s.path[:len(s.path)-1]
}

func (s *subsetter) compareLists(want, got *datum) {
	key, places := placesIn(got.items, want.items)
	if key == "" && len(want.items) != len(got.items) {
		s.differ(want, got)
		return
	}
	for i := range want.items {
		before := s.name
		if key == "" {
			step := want.step(i)
			s.name = step.appendTo(s.name)
			s.at(step, &want.items[i], &got.items[i])
		} else {
			s.name = fmt.Appendf(s.name, "[%s=%s]", key, inWords(want.items[i].at(key).text))
			s.compareItem(&want.items[i], got, places[i])
		}
		s.name = before
	}
}

// compareItem compares an item with the one in a place of the list, or with nothing if
// the place is negative.
func (s *subsetter) compareItem(want, list *datum, place int) {
	if place < 0 {
		s.differ(want, nil)
		return
	}
	s.at(list.step(place), want, &list.items[place])
}

// placesIn returns the first key by which all wanted items can be found among others, and
// where each of them is; -1 for nowhere. Without such a key it returns "".
func placesIn(items, wanted []datum) (string, []int) {
	if len(wanted) == 0 {
		return "", nil
	}
	for _, key := range mergeKeys() {
		if !unique(key, wanted) {
			continue
		}
		if places, ok := placesBy(key, items, wanted); ok {
			return key, places
		}
	}
	return "", nil
}

// placesBy reports false if a wanted item would be in two places.
func placesBy(key string, items, wanted []datum) ([]int, bool) {
	const nowhere, twice = -1, -2
	at := make(map[int32]int, len(wanted))
	for i := range wanted {
		at[wanted[i].at(key).id] = nowhere
	}
	for i := range items {
		v := items[i].at(key)
		if v == nil {
			continue
		}
		if place, ok := at[v.id]; ok && place == nowhere {
			at[v.id] = i
		} else if ok {
			at[v.id] = twice
		}
	}
	places := make([]int, len(wanted))
	for i := range wanted {
		places[i] = at[wanted[i].at(key).id]
		if places[i] == twice {
			return nil, false
		}
	}
	return places, true
}
