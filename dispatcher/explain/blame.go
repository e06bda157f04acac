package explain

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Blame determines the writer of each field of the last state.
//
// State.By is the writer that created the first state, or a state from the
// previous one. A writer owns a field if its state changed the field's value;
// setting a field to its current value is not a write. Blame tracks list items
// as Diff does, so a webhook that inserts an item does not become a writer of
// the items after it. An item that was removed and added again keeps its
// history.
//
// fields are the leaves of the last state in document order: apiVersion, kind,
// metadata, spec, other keys, and status. removed are the leaves that the last
// state does not have, with the index they had when they were removed. fights
// are the fields that webhooks overwrote alternately; a part that they add and
// remove as a whole is one fight.
//
// States of another kind than the last one do not have its fields. Consecutive
// states in other kinds count as one step. If one webhook changed something in
// them, it is the writer, and Writer.Through names the kind; otherwise the
// conversion is.
//
// The time is linear in the size of the states.
//
// Blame returns an error, and no results, if a state is not JSON or has too
// many fields: without that state it would attribute its changes to the next
// writer.
func Blame(states []State) (fields, removed []Field, fights []Fight, err error) {
	if len(states) == 0 {
		return nil, nil, nil, nil
	}
	b := blamer{reader: newReader(), root: newNode()}
	for i := range states {
		if err := b.add(&states[i], &states[len(states)-1]); err != nil {
			return nil, nil, nil, fmt.Errorf(
				"reading state %d of %d, by %s: %w",
				i+1,
				len(states),
				states[i].By.By,
				err,
			)
		}
	}
	var l lister
	l.list(b.root, Path{}, false)
	sortDocument(l.fields, func(f *Field) string { return f.Path })
	sortDocument(l.removed, func(f *Field) string { return f.Path })
	sortDocument(l.fights, func(f *Fight) string { return f.Path })
	return l.fields, l.removed, l.fights, nil
}

// blamer processes the states in order.
type blamer struct {
	*reader
	root *historyNode
	// last is the last state, with its value.
	last  *State
	value *jsonValue
	// converted has the writers that changed the object in other kinds since
	// the last state in the final kind.
	converted []*Writer
}

// add processes a state.
func (b *blamer) add(s, final *State) error {
	value, err := b.read(s.Object)
	if err != nil {
		return err
	}
	if s.Kind == final.Kind {
		b.root.set(value, b.writer(s))
		b.converted = nil
	} else if b.changes(s, value) {
		kind := metav1.GroupVersionKind(s.Kind)
		through := s.By
		through.Through = &kind
		b.converted = append(b.converted, &through)
	}
	b.last, b.value = s, value
	return nil
}

// changes reports whether the writer of a state in another kind changed the
// object. Defaulting there is not distinguished from the webhook before it.
func (b *blamer) changes(s *State, value *jsonValue) bool {
	if s.By.By == ByConversion || s.By.By == ByDefaulting {
		return false
	}
	return b.last == nil || b.last.Kind != s.Kind || !equal(b.value, value)
}

// writer returns the writer of a state in the final kind.
func (b *blamer) writer(s *State) *Writer {
	writers := b.converted
	if s.By.By == ByWebhook || len(writers) == 0 {
		writers = append(writers, &s.By)
	}
	if len(writers) > 1 {
		return &Writer{By: ByConversion}
	}
	return writers[0]
}

// lister lists the leaves and the fights of a history.
type lister struct {
	fields, removed []Field
	fights          []Fight
}

// list lists n and the nodes below it. Below a fight there is no other one:
// webhooks that add and remove a part in turns do so with everything in it.
func (l *lister) list(n *historyNode, at Path, inFight bool) {
	if n.absent || !n.value.isLeaf() {
		l.listRemoved(n, at)
	} else {
		last := len(n.events) - 1
		l.fields = append(l.fields, Field{
			Path:    at.String(),
			Value:   n.value.encode(),
			Writer:  *n.events[last].by,
			Earlier: leafWrites(n.events[:last]),
		})
	}
	if !inFight && isFight(n.events) {
		inFight = true
		l.fights = append(l.fights, Fight{Path: at.String(), Writes: allWrites(n.events)})
	}
	n.eachChild(func(s pathStep, child *historyNode) { l.list(child, at.with(s), inFight) })
}

// listRemoved lists a leaf that n had earlier, with the writer that removed it.
// An empty leaf that became a part is not listed.
func (l *lister) listRemoved(n *historyNode, at Path) {
	last := len(n.events) - 1
	for last >= 0 && !n.events[last].isLeaf() {
		last--
	}
	if last < 0 || last == len(n.events)-1 || !n.absent && n.events[last].value.isEmpty() {
		return
	}
	l.removed = append(l.removed, Field{
		Path: at.String(), Writer: *n.events[last+1].by, Earlier: leafWrites(n.events[:last+1]),
	})
}

// leafWrites returns the values that a leaf had, and its removals. The values
// of times when it was a part are those of its children.
func leafWrites(events []event) []Write {
	var leaves []event
	for _, e := range events {
		if e.isLeaf() || e.value == nil && len(leaves) > 0 {
			leaves = append(leaves, e)
		}
	}
	return allWrites(leaves)
}

func allWrites(events []event) []Write {
	var all []Write
	for _, e := range events {
		all = append(all, Write{Writer: *e.by, Value: e.value.encode()})
	}
	return all
}

// isFight reports whether a webhook wrote again after another webhook had
// written. Every event is a change, so the second write replaced the other
// webhook's value. Defaulting and users between them do not count.
func isFight(events []event) bool {
	var turns []string
	for i := range events {
		if events[i].by.By != ByWebhook {
			continue
		}
		writer := events[i].by.Configuration + "/" + events[i].by.Webhook
		switch at := slices.Index(turns, writer); {
		case at < 0:
			turns = append(turns, writer)
		case at < len(turns)-1:
			return true
		}
	}
	return false
}
