package explain

import (
	"bytes"
	"fmt"
)

// Blame determines the writer of each field of the last state.
//
// State.By made the first state, or made a state of the one before it. A writer owns a
// field if its state changed the field's value; setting a field to its current value is
// no write. List items are followed as Diff follows them, so inserting an item does not
// make the webhook a writer of the items after it. An item that was removed and comes
// back keeps its history.
//
// fields are the leaves of the last state in document order: apiVersion, kind, metadata,
// spec, other keys, and status. removed are the leaves that the last state does not
// have, with the index they had when they were removed. fights are the fields that
// webhooks overwrote in turns; a part that they add and remove as a whole is one fight.
//
// States in another kind than the last one's do not have its fields. Consecutive states
// in other kinds count as one step: a change belongs to the webhook that last touched a
// field with the same path, or else to the last webhook that changed anything, and
// Writer.Through names the kind. If no webhook changed anything, it belongs to the
// conversion.
//
// The time is linear in the size of the states, within the limits of Diff: parts that
// are too large to be compared are leaves.
//
// Blame returns an error, and no results, if a state is not JSON: without that state its
// changes would be attributed to the next writer.
func Blame(states []State) (fields, removed []Field, fights []Fight, err error) {
	if len(states) == 0 {
		return nil, nil, nil, nil
	}
	b := &blamer{reader: newReader(), aligner: newAligner(), root: &historyNode{absent: true}}
	final := &states[len(states)-1]
	for i := range states {
		if i > 0 && states[i].Kind == states[i-1].Kind && bytes.Equal(states[i].Object, states[i-1].Object) {
			continue
		}
		value, err := b.read(states[i].Object)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("reading state %d of %d, by %s: %w", i+1, len(states), states[i].By.By, err)
		}
		if states[i].Kind == final.Kind {
			b.addState(&states[i], value)
		} else {
			b.addConvertedState(&states[i], value)
		}
	}
	l := lister{}
	l.list(b.root, b.last)
	return l.fields, l.removed, findFights(b.root, b.last), nil
}

// blamer processes the states in order.
type blamer struct {
	*reader
	*aligner
	// root is the history of the object up to the state last.
	root *historyNode
	last *jsonValue
	// conversion holds the states in other kinds since then; nil if there are none.
	conversion *conversionPath

	// author returns the writers of the current step.
	author author
	path   []pathStep
}

// author returns the writer of a path in one step. A step through other kinds may have
// several writers.
type author interface {
	writerOf(path []pathStep) *Writer
	// single reports whether all paths have the same writer.
	single() bool
}

// writerOf makes a Writer the author of all paths.
func (w *Writer) writerOf([]pathStep) *Writer { return w }

func (w *Writer) single() bool { return true }

// addState processes a state in the final kind.
func (b *blamer) addState(s *State, value *jsonValue) {
	b.author = &s.By
	if b.conversion != nil {
		b.author = b.conversion.stepAuthor(s)
		b.conversion = nil
	}
	b.set(b.root, value)
	b.last = value
}

// addConvertedState processes a state in another kind.
func (b *blamer) addConvertedState(s *State, value *jsonValue) {
	if b.conversion == nil {
		b.conversion = newConversionPath(b.aligner, b.last == nil)
	}
	b.conversion.addState(s, value)
}

// atStep calls do with the path extended by s.
func (b *blamer) atStep(s pathStep, do func()) {
	b.path = append(b.path, s)
	do()
	b.path = b.path[:len(b.path)-1]
}
