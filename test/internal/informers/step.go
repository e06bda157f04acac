package informers

import (
	"fmt"
	"time"
)

// Step is what happens next in a run, after which Wait passes. The zero value is
// nothing.
type Step struct {
	// Fail is how the server answers from now on; empty changes nothing.
	Fail Fault
	// Restart ends all connections; Compact also makes old versions unavailable.
	Restart, Compact bool
	// Write are changes that are made at once.
	Write []Write
	Wait  time.Duration
}

// Write is a change of an object. There are a few names of each resource.
type Write struct {
	Resource Resource
	Slot     int
	Kind     WriteKind
}

// WriteKind is the kind of a Write.
type WriteKind int

// The kinds of writes.
const (
	// Put creates an object, or replaces it.
	Put WriteKind = iota
	// Delete deletes an object, if there is one.
	Delete
	// Rename creates an object under another name and then deletes it under the old
	// one.
	Rename
)

// String implements fmt.Stringer.
func (s Step) String() string {
	text := string(s.Fail)
	if s.Restart {
		text += " restart"
	}
	if s.Compact {
		text += " compact"
	}
	for _, w := range s.Write {
		text += fmt.Sprintf(" %s %s %d", [...]string{"put", "delete", "rename"}[w.Kind], w.Resource.Name, w.Slot)
	}
	return fmt.Sprint(text, " ", s.Wait)
}

// writer makes the objects of writes.
type writer struct {
	server   *Server
	revision int64
	// held are the objects by resource and slot.
	held map[Resource]map[int]Object
}

func newWriter(s *Server) *writer {
	w := &writer{server: s, held: map[Resource]map[int]Object{}}
	for _, r := range resources() {
		w.held[r] = map[int]Object{}
	}
	return w
}

// write makes all changes of a step.
func (w *writer) write(changes []Write) {
	if len(changes) == 0 {
		return
	}
	w.server.change(func() {
		for _, c := range changes {
			w.change(c)
		}
	})
}

func (w *writer) change(c Write) {
	before, exists := w.held[c.Resource][c.Slot]
	if c.Kind == Delete {
		if exists {
			w.delete(c.Resource, before)
			delete(w.held[c.Resource], c.Slot)
		}
		return
	}
	w.revision++
	name := fmt.Sprintf("o%d", c.Slot)
	renamed := c.Kind == Rename || c.Resource == Policies
	if exists && !renamed {
		name = before.GetName()
	}
	if renamed { // the name of a policy is all that shows its revision
		name = fmt.Sprintf("o%d-%d", c.Slot, w.revision)
	}
	now := object(c.Resource, name, w.revision)
	kind := added
	if exists && name == before.GetName() {
		kind = modified
	}
	w.server.etcd.write(kind, c.Resource, now)
	w.held[c.Resource][c.Slot] = now
	if exists && kind == added {
		w.delete(c.Resource, before)
	}
}

func (w *writer) delete(r Resource, o Object) {
	w.server.etcd.write(deleted, r, o.DeepCopyObject().(Object))
}
