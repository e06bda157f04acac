package explain

import (
	"cmp"
	"maps"
	"slices"
)

// historyNode is a leaf or part of the object with its history.
type historyNode struct {
	// value is the current value, or the last one if absent.
	value  *jsonValue
	absent bool
	// events are all writes and removals: of a leaf, or of a part as a whole.
	events []event
	// fields are all nodes ever in a map. items are the nodes in a list, and
	// removed the ones that were removed from it, with the index they had.
	fields  map[string]*historyNode
	items   []*historyNode
	removed []*historyNode
	index   int
}

// event is the write of a value, or a removal if value is nil.
type event struct {
	by    *Writer
	value *jsonValue
}

// isLeaf reports whether the event is the write of a leaf.
func (e *event) isLeaf() bool { return e.value != nil && e.value.isLeaf() }

func newNode() *historyNode { return &historyNode{absent: true} }

// set updates n to a value; nil removes it. The node keeps its history.
func (n *historyNode) set(v *jsonValue, by *Writer) {
	before := n.value
	if n.absent {
		before = nil
	}
	switch {
	case equal(before, v):
		return
	case before == nil || v == nil || !sameStructure(before, v):
		n.events = append(n.events, event{by, v})
	case v.isLeaf(): // the part became a leaf
		n.events = append(n.events, event{by, v})
	case before.isLeaf(): // the part was an empty leaf
		n.events[len(n.events)-1].value = v
	}
	n.setFields(v, by)
	n.setItems(v, by)
	if n.absent = v == nil; v != nil {
		n.value = v
	}
}

// setFields updates the nodes of a map; they are removed if v is no map.
func (n *historyNode) setFields(v *jsonValue, by *Writer) {
	for key, child := range n.fields {
		child.set(v.get(key), by)
	}
	if v == nil || !v.isMap() {
		return
	}
	if n.fields == nil {
		n.fields = make(map[string]*historyNode, len(v.keys))
	}
	for i, key := range v.keys {
		if n.fields[key] == nil {
			n.fields[key] = newNode()
			n.fields[key].set(&v.items[i], by)
		}
	}
}

// setItems updates the nodes of a list; they are removed if v is no list.
func (n *historyNode) setItems(v *jsonValue, by *Writer) {
	var after []jsonValue
	if v != nil && v.isList() {
		after = v.items
	}
	before := n.items
	if len(before) == 0 && len(after) == 0 {
		return
	}
	values := make([]jsonValue, len(before))
	for i := range before {
		values[i] = *before[i].value
	}
	origins := align(values, after)
	n.items = make([]*historyNode, len(after))
	known := n.removedItems()
	for j, i := range origins {
		if i >= 0 {
			n.items[j] = before[i]
		} else {
			n.items[j] = known.restore(&after[j])
		}
		n.items[j].set(&after[j], by)
	}
	n.removed = slices.DeleteFunc(n.removed, func(q *historyNode) bool { return !q.absent })
	for i, matched := range matchedItems(origins, len(before)) {
		if !matched {
			before[i].set(nil, by)
			before[i].index = i
			n.removed = append(n.removed, before[i])
		}
	}
}

// removedItems finds the node of a list item that was removed and comes back,
// by its merge key, or else by equality.
type removedItems map[itemIdentity]*historyNode

// itemIdentity is a merge key with the id of its value, or without a key the id
// of the item.
type itemIdentity struct {
	key string
	id  int
}

func identityOf(v *jsonValue) itemIdentity {
	for _, key := range mergeKeys {
		if value := v.get(key); value != nil && value.isScalar() {
			return itemIdentity{key, value.id}
		}
	}
	return itemIdentity{id: v.id}
}

// removedItems indexes the removed items of n. Of several items with the same
// identity it keeps the one that was removed last.
func (n *historyNode) removedItems() removedItems {
	items := make(removedItems, len(n.removed))
	for _, q := range n.removed {
		items[identityOf(q.value)] = q
	}
	return items
}

// restore returns the node of an item that comes back, or a new node.
func (r removedItems) restore(v *jsonValue) *historyNode {
	if len(r) == 0 {
		return newNode()
	}
	id := identityOf(v)
	q := r[id]
	delete(r, id)
	return cmp.Or(q, newNode())
}

// eachChild visits the nodes below n, in document order. Removed list items
// come last.
func (n *historyNode) eachChild(visit func(pathStep, *historyNode)) {
	for _, key := range slices.Sorted(maps.Keys(n.fields)) {
		visit(keyStep(key), n.fields[key])
	}
	for j, q := range n.items {
		visit(indexStep(j), q)
	}
	removed := slices.Clone(n.removed)
	slices.SortStableFunc(removed, func(a, b *historyNode) int { return a.index - b.index })
	for _, q := range removed {
		visit(indexStep(q.index), q)
	}
}
