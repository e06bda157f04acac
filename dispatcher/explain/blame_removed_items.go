package explain

import "slices"

// formerItems finds those items that were in a list once and come back. They are
// recognized by what tells the items of lists apart, or else by being equal.
type removedItems map[itemIdentity]*historyNode

// identity is a key that tells items apart and the id of its value; or no key, and the
// id of the item itself.
type itemIdentity struct {
	key string
	id  int32
}

func identityOf(v *jsonValue) itemIdentity {
	for _, key := range mergeKeys() {
		if value := v.get(key); value != nil && value.isScalar() {
			return itemIdentity{key, value.id}
		}
	}
	return itemIdentity{id: v.id}
}

// newFormerItems knows the items that are not in the list before a step. Of several that
// cannot be told apart it knows the one that went last.
func indexRemovedItems(n *historyNode) removedItems {
	items := make(removedItems, len(n.removed))
	for _, q := range n.removed {
		items[identityOf(q.value)] = q
	}
	return items
}

// take returns the place of an item that comes back, or a new one.
func (r removedItems) restore(v *jsonValue) *historyNode {
	if len(r) == 0 {
		return &historyNode{absent: true}
	}
	id := identityOf(v)
	q, ok := r[id]
	if !ok {
		return &historyNode{absent: true}
	}
	delete(r, id)
	return q
}

// settle drops those of the former items that are back.
func (n *historyNode) dropRestored() {
	n.removed = slices.DeleteFunc(n.removed, func(q *historyNode) bool { return !q.absent })
}
