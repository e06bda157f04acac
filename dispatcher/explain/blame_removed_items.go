package explain

import "slices"

// removedItems finds the node of a list item that was removed and comes back, by its
// merge key, or else by equality.
type removedItems map[itemIdentity]*historyNode

// itemIdentity is a merge key with the id of its value, or without a key the id of the
// item.
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

// indexRemovedItems indexes the removed items of n. Of several items with the same
// identity it keeps the one that was removed last.
func indexRemovedItems(n *historyNode) removedItems {
	items := make(removedItems, len(n.removed))
	for _, q := range n.removed {
		items[identityOf(q.value)] = q
	}
	return items
}

// restore returns the node of an item that comes back, or a new node.
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

// dropRestored drops the removed items that came back.
func (n *historyNode) dropRestored() {
	n.removed = slices.DeleteFunc(n.removed, func(q *historyNode) bool { return !q.absent })
}
