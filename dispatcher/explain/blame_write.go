package explain

// set makes a step at one place: what is there now is after. Nil is nothing.
func (b *blamer) set(p *place, after *datum) {
	switch {
	case after == nil && p.gone:
	case after == nil:
		b.remove(p)
	case p.gone:
		b.write(p, after)
	case p.value.id == after.id:
	case sameForm(p.value, after):
		b.descend(p, after)
	default:
		if p.value.open() {
			b.clear(p)
		}
		b.write(p, after)
	}
}

// write puts a value where there is none. What was there once may come back.
func (b *blamer) write(p *place, v *datum) {
	p.value, p.gone = v, false
	p.events = append(p.events, event{b.author.wrote(b.path), v})
	if !v.open() {
		return
	}
	if b.author.alone() && p.fields == nil && p.former == nil {
		p.whole = true
		return
	}
	known := newFormerItems(p)
	for i := range v.items {
		s := v.step(i)
		b.within(s, func() {
			if v.kind == datumMap {
				b.set(p.field(s.key, &place{gone: true}), &v.items[i])
				return
			}
			q := known.take(&v.items[i])
			p.items = append(p.items, q)
			b.set(q, &v.items[i])
		})
	}
	p.settle()
}

// remove takes away what is at a place, and remembers it.
func (b *blamer) remove(p *place) {
	if p.value.open() {
		b.clear(p)
	}
	p.events = append(p.events, event{by: b.author.wrote(b.path)})
	p.gone = true
}

// clear removes everything in a part.
func (b *blamer) clear(p *place) {
	p.split()
	for i := range p.value.items {
		s := p.value.step(i)
		if p.value.kind == datumMap {
			b.within(s, func() { b.set(p.fields[s.key], nil) })
		} else {
			b.drop(p, p.items[i], i)
		}
	}
	p.items = nil
}

// drop removes an item of a list.
func (b *blamer) drop(p, item *place, i int) {
	b.within(pathStep{kind: stepIndex, index: i}, func() { b.set(item, nil) })
	item.index = i
	p.former = append(p.former, item)
}

// descend makes a step in a part of which some is as it was.
func (b *blamer) descend(p *place, after *datum) {
	p.split()
	if after.kind == datumMap {
		for _, e := range differences(p.value, after, false) {
			b.within(pathStep{kind: stepKey, key: e.key}, func() {
				b.set(p.field(e.key, &place{gone: true}), e.after)
			})
		}
	} else {
		b.descendList(p, after)
	}
	switch last := &p.events[len(p.events)-1]; {
	case len(after.items) == 0: // has become a leaf
		p.events = append(p.events, event{b.author.wrote(b.path), after})
	case len(p.value.items) == 0: // was one, and nothing is lost with it
		last.value = after
	}
	p.value = after
}

func (b *blamer) descendList(p *place, after *datum) {
	origins := b.align(p.value.items, after.items)
	known := newFormerItems(p)
	before := p.items
	p.items = make([]*place, len(origins))
	for j, i := range origins {
		v := &after.items[j]
		if i >= 0 {
			p.items[j] = before[i]
		} else {
			p.items[j] = known.take(v)
		}
		b.within(after.step(j), func() { b.set(p.items[j], v) })
	}
	p.settle()
	for _, i := range unmatched(origins, len(before)) {
		b.drop(p, before[i], i)
	}
}
