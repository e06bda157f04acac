package explain

import (
	"maps"
	"slices"
)

// historyNode is a leaf or part of the object with its history. The nodes below a part
// are created when a writer changes something in it.
type historyNode struct {
	// value is the current value, or the last one if absent.
	value  *jsonValue
	absent bool
	// events are all writes and removals: of a leaf, or of a part as a whole.
	events []event
	// unexpanded reports whether the nodes below were not created yet, because
	// everything in the part is by the author of the last event.
	unexpanded bool
	// fields are all nodes ever in a map. items are the nodes in a list, and removed the
	// ones that were removed from it, with the index they had.
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

func (n *historyNode) author() *Writer { return n.events[len(n.events)-1].by }

// expand creates the nodes below an unexpanded part.
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

// child returns the node of a key. If there is none it adds the given one.
func (n *historyNode) child(key string, fallback *historyNode) *historyNode {
	if q, ok := n.fields[key]; ok {
		return q
	}
	if n.fields == nil {
		n.fields = map[string]*historyNode{}
	}
	n.fields[key] = fallback
	return fallback
}

// childNode is a node with its last step, and its value in the final object; nil if
// none.
type childNode struct {
	step  pathStep
	node  *historyNode
	value *jsonValue
}

// children returns the nodes below n, in document order. v is the value of n in the
// final object. Removed list items come last.
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
