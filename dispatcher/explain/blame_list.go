package explain

// lister lists the leaves of places.
type lister struct {
	fields, removed []Field
	path            []pathStep
}

// list lists a place at which the final object has v; nil for nothing. It is the place
// that says whether v is a leaf: v is equal to its value, but may be sealed otherwise.
func (l *lister) list(n *historyNode, v *jsonValue) {
	if n.absent || n.value.expandable() {
		l.listRemoved(n)
	} else {
		l.fields = append(l.fields, Field{
			Path: Path{l.path}.String(), Value: v.encode(), Writer: *n.author(),
			Earlier: writes(n.events[:len(n.events)-1]),
		})
	}
	if n.unexpanded {
		l.leaves(n.value, v, n.author())
		return
	}
	for _, q := range n.children(v, len(l.path) == 0) {
		l.path = append(l.path, q.step)
		l.list(q.node, q.value)
		l.path = l.path[:len(l.path)-1]
	}
}

// leaves lists a part that is by one author. The one that was written says what its
// leaves are, and v what is in them: it may write the same numbers differently.
func (l *lister) leaves(written, v *jsonValue, by *Writer) {
	if !written.expandable() {
		l.fields = append(l.fields, Field{Path: Path{l.path}.String(), Value: v.encode(), Writer: *by})
		return
	}
	for _, i := range v.inDocumentOrder(len(l.path) == 0) {
		l.path = append(l.path, v.step(i))
		l.leaves(&written.items[i], &v.items[i], by)
		l.path = l.path[:len(l.path)-1]
	}
}

// listLost lists a leaf that was at a place once, under whoever ended it. If there is a
// part now, nothing is lost with an empty leaf.
func (l *lister) listRemoved(n *historyNode) {
	last := len(n.events) - 1
	for last >= 0 && !n.events[last].isLeaf() {
		last--
	}
	if last < 0 || last == len(n.events)-1 || !n.absent && n.events[last].value.isEmpty() {
		return
	}
	l.removed = append(l.removed, Field{
		Path: Path{l.path}.String(), Writer: *n.events[last+1].by, Earlier: writes(n.events[:last+1]),
	})
}

// leaf reports whether the event is that a leaf was written.
func (e *event) isLeaf() bool { return e.value != nil && !e.value.expandable() }

// writes are the values that a leaf had, and its removals. What the leaf was at times
// when it was a part is told by what was in it.
func writes(events []event) []Write {
	var all []Write
	for i := range events {
		if e := &events[i]; e.isLeaf() || e.value == nil && len(all) > 0 {
			all = append(all, Write{Writer: *e.by, Value: e.value.encode()})
		}
	}
	return all
}
