package explain

import (
	"maps"
	"slices"
)

// place is a place in the object: a leaf or a part, with its history. Places of parts
// that nobody has touched since they were written are not made before they are needed.
type historyNode struct {
	// value is what is there, or was before it was gone.
	value  *jsonValue
	absent bool
	// events are all that happened to it: to a leaf, that a value was written or
	// removed; to a part, that it was as a whole.
	events []event
	// whole says that there are no places below yet, because all of it is by the author
	// of the last event.
	unexpanded bool
	// fields are what is and was in a map, items what is in a list, and former what
	// was in it, each with the index that it had.
	fields  map[string]*historyNode
	items   []*historyNode
	removed []*historyNode
	index   int
}

// event is that a value was written, or removed if it is nil.
type event struct {
	by    *Writer
	value *jsonValue
}

func (n *historyNode) author() *Writer { return n.events[len(n.events)-1].by }

// split makes the places in a part that was whole.
func (n *historyNode) expand() {
	if !n.unexpanded {
		return
	}
	n.unexpanded = false
	for i := range n.value.items {
		v := &n.value.items[i]
		q := &historyNode{value: v, events: []event{{n.author(), v}}, unexpanded: v.expandable()}
		if n.value.kind == valueMap {
			n.child(n.value.keys[i].text, q)
		} else {
			n.items = append(n.items, q)
		}
	}
}

// field returns the place under a key, and makes it the given one if there is none.
func (n *historyNode) child(key string, otherwise *historyNode) *historyNode {
	if q, ok := n.fields[key]; ok {
		return q
	}
	if n.fields == nil {
		n.fields = map[string]*historyNode{}
	}
	n.fields[key] = otherwise
	return otherwise
}

// below is a place below another, and what the final object has there; nil if nothing.
type childNode struct {
	step  pathStep
	node  *historyNode
	value *jsonValue
}

// below returns the places below one at which the final object has v, in document order.
// What is no more in a list comes after what is.
func (n *historyNode) children(v *jsonValue, root bool) []childNode {
	var all []childNode
	for _, key := range slices.Sorted(maps.Keys(n.fields)) {
		q := childNode{step: pathStep{kind: stepKey, key: key}, node: n.fields[key]}
		if v != nil {
			q.value = v.get(key)
		}
		all = append(all, q)
	}
	if root {
		slices.SortStableFunc(all, func(a, b childNode) int { return documentOrder(a.step.key, b.step.key) })
	}
	for j, q := range n.items {
		all = append(all, childNode{pathStep{kind: stepIndex, index: j}, q, &v.items[j]})
	}
	former := slices.Clone(n.removed)
	slices.SortStableFunc(former, func(a, b *historyNode) int { return a.index - b.index })
	for _, q := range former {
		all = append(all, childNode{pathStep{kind: stepIndex, index: q.index}, q, nil})
	}
	return all
}
