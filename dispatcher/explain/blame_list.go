package explain

// lister lists the leaves of a history.
type lister struct {
	fields, removed []Field
	path            []pathStep
}

// list lists n, which has the value v in the final object; nil if none. The history
// decides whether v is a leaf: v is equal to its value, but may differ in opaque.
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

// leaves lists a part with a single author. written, the value as it was written,
// decides which values are leaves; v supplies them, because it may have other literals
// for the same numbers.
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

// listRemoved lists a leaf that n had earlier, with the writer that removed it. An empty
// leaf that became a part is not listed.
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

// isLeaf reports whether the event is the write of a leaf.
func (e *event) isLeaf() bool { return e.value != nil && !e.value.expandable() }

// writes returns the values that a leaf had, and its removals. The values of times when
// it was a part are those of its children.
func writes(events []event) []Write {
	var all []Write
	for i := range events {
		if e := &events[i]; e.isLeaf() || e.value == nil && len(all) > 0 {
			all = append(all, Write{Writer: *e.by, Value: e.value.encode()})
		}
	}
	return all
}
