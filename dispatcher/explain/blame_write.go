package explain

// set updates n to the value after; nil removes it.
func (b *blamer) set(n *historyNode, after *jsonValue) {
	switch {
	case after == nil && n.absent:
	case after == nil:
		b.remove(n)
	case n.absent:
		b.write(n, after)
	case n.value.id == after.id:
	case sameStructure(n.value, after):
		b.updatePart(n, after)
	default:
		if n.value.expandable() {
			b.clear(n)
		}
		b.write(n, after)
	}
}

// write sets the value of an absent node.
func (b *blamer) write(n *historyNode, v *jsonValue) {
	n.value, n.absent = v, false
	n.events = append(n.events, event{b.author.writerOf(b.path), v})
	if !v.expandable() {
		return
	}
	if b.author.single() && n.fields == nil && n.removed == nil {
		n.unexpanded = true
		return
	}
	known := indexRemovedItems(n)
	for i := range v.items {
		s := v.step(i)
		b.atStep(s, func() {
			if v.kind == valueMap {
				b.set(n.child(s.key, &historyNode{absent: true}), &v.items[i])
				return
			}
			q := known.restore(&v.items[i])
			n.items = append(n.items, q)
			b.set(q, &v.items[i])
		})
	}
	n.dropRestored()
}

// remove removes the value of a node. The node keeps its history.
func (b *blamer) remove(n *historyNode) {
	if n.value.expandable() {
		b.clear(n)
	}
	n.events = append(n.events, event{by: b.author.writerOf(b.path)})
	n.absent = true
}

// clear removes everything in a part.
func (b *blamer) clear(n *historyNode) {
	n.expand()
	for i := range n.value.items {
		s := n.value.step(i)
		if n.value.kind == valueMap {
			b.atStep(s, func() { b.set(n.fields[s.key], nil) })
		} else {
			b.removeItem(n, n.items[i], i)
		}
	}
	n.items = nil
}

// removeItem removes an item of a list.
func (b *blamer) removeItem(n, item *historyNode, i int) {
	b.atStep(pathStep{kind: stepIndex, index: i}, func() { b.set(item, nil) })
	item.index = i
	n.removed = append(n.removed, item)
}

// updatePart updates a part that keeps its structure.
func (b *blamer) updatePart(n *historyNode, after *jsonValue) {
	n.expand()
	if after.kind == valueMap {
		for _, e := range differences(n.value, after, false) {
			b.atStep(pathStep{kind: stepKey, key: e.key}, func() {
				b.set(n.child(e.key, &historyNode{absent: true}), e.after)
			})
		}
	} else {
		b.updateList(n, after)
	}
	switch last := &n.events[len(n.events)-1]; {
	case len(after.items) == 0: // it became a leaf
		n.events = append(n.events, event{b.author.writerOf(b.path), after})
	case len(n.value.items) == 0: // it was an empty leaf
		last.value = after
	}
	n.value = after
}

func (b *blamer) updateList(n *historyNode, after *jsonValue) {
	origins := b.align(n.value.items, after.items)
	known := indexRemovedItems(n)
	before := n.items
	n.items = make([]*historyNode, len(origins))
	for j, i := range origins {
		v := &after.items[j]
		if i >= 0 {
			n.items[j] = before[i]
		} else {
			n.items[j] = known.restore(v)
		}
		b.atStep(after.step(j), func() { b.set(n.items[j], v) })
	}
	n.dropRestored()
	for _, i := range unmatched(origins, len(before)) {
		b.removeItem(n, before[i], i)
	}
}
