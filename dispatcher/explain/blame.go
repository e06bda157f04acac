package explain

import (
	"bytes"
	"fmt"
)

// Blame says who wrote which field on the way from the first state to the last.
//
// The first state is as its By has made it, be that "stored" or "user"; each of the
// others was made of the one before it, by its By. It is by what it says By made
// different that somebody is a writer: to set a value to what it is already is not to
// write it. The items of lists are followed as Diff follows them, so that whoever puts an
// item before others is not the writer of these. One that was removed and comes back is
// the same item, with all its history.
//
// The fields are the leaves of the last state, in document order: apiVersion, kind,
// metadata, spec, whatever else there is, and status; keys are sorted. Removed are the
// leaves that are no more, each with the index that it had when it went. Fights are the
// fields that webhooks wrote in turns; a part that they added and removed as a whole is
// one fight.
//
// Only states in the kind of the last have its fields. What happened in others on the
// way is taken together as one step, whose changes belong to the webhook that touched a
// field of the same path last, or otherwise to the last that changed anything; Through
// says that it was in another kind. If none did, it was the conversion.
//
// The time that it takes is little more than that of reading the states, within the
// limits of Diff: parts that are not looked into are leaves.
//
// It is an error if a state is not JSON; then there are no results, because whoever wrote
// that state would get away with it, and the next be blamed.
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

// blamer goes through the states.
type blamer struct {
	*reader
	*aligner
	// root is the object with its history up to the state last.
	root *historyNode
	last *jsonValue
	// detour is the way through other kinds since then; nil if there is none.
	conversion *conversionPath

	// author says who wrote the field at a path in the step that is being made.
	author author
	path   []pathStep
}

// author is who made a step. Of one that led through another kind there may be many.
type author interface {
	writerOf(path []pathStep) *Writer
	// alone reports whether there is only one.
	single() bool
}

// wrote makes a Writer the only author of a step.
func (w *Writer) writerOf([]pathStep) *Writer { return w }

func (w *Writer) single() bool { return true }

// arrive makes the step to a state in the final kind.
func (b *blamer) addState(s *State, value *jsonValue) {
	b.author = &s.By
	if b.conversion != nil {
		b.author = b.conversion.stepAuthor(s)
		b.conversion = nil
	}
	b.set(b.root, value)
	b.last = value
}

// wander notes a state in another kind.
func (b *blamer) addConvertedState(s *State, value *jsonValue) {
	if b.conversion == nil {
		b.conversion = newConversionPath(b.aligner, b.last == nil)
	}
	b.conversion.addState(s, value)
}

// within does something a step further down.
func (b *blamer) atStep(s pathStep, do func()) {
	b.path = append(b.path, s)
	do()
	b.path = b.path[:len(b.path)-1]
}
