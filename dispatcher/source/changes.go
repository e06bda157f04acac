package source

import (
	"fmt"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// few is how many changes are made to a snapshot one by one. If there are more,
// such as when everything is new, it is made anew.
const few = 32

// change is one difference between what is published and what is wanted.
type change struct {
	// index is where among the published it is.
	index int
	// before is what is there; nil if after is to be inserted.
	before *configuration
	// after is what is to be there; nil if before is to be deleted.
	after *configuration
}

// changes returns how what is wanted differs from what is published, in order.
func (r *roster) changes() []change {
	if r.renewed || len(r.touched) > few {
		return r.compare()
	}
	var all []change
	slices.SortFunc(r.touched, byName)
	r.touched = slices.Compact(r.touched)
	for _, name := range r.touched {
		index, published := find(r.published, name)
		c := change{index: index}
		if published {
			c.before = r.published[index]
		}
		if at, wanted := find(r.wanted, name); wanted {
			c.after = r.wanted[at]
		}
		if c.before != c.after {
			all = append(all, c)
		}
	}
	return all
}

// compare does the same without knowing where to look. Nearly everything is the
// same, and the same pointer.
func (r *roster) compare() []change {
	var all []change
	i, j := 0, 0
	for i < len(r.published) || j < len(r.wanted) {
		if i < len(r.published) && j < len(r.wanted) && r.published[i] == r.wanted[j] {
			i, j = i+1, j+1
			continue
		}
		c := change{index: i}
		order := r.order(i, j)
		if order <= 0 {
			c.before = r.published[i]
			i++
		}
		if order >= 0 {
			c.after = r.wanted[j]
			j++
		}
		all = append(all, c)
	}
	return all
}

// order compares the names of a published configuration and a wanted one. What is
// not there comes last.
func (r *roster) order(published, wanted int) int {
	switch {
	case published == len(r.published):
		return 1
	case wanted == len(r.wanted):
		return -1
	default:
		return byName(r.published[published].name, r.wanted[wanted].name)
	}
}

// compile compiles what is new. Nothing that a configuration says makes this fail
// (see matching.Compiler), but a panic of the CEL libraries would.
func (r *roster) compile(changes []change, compiler *matching.Compiler) (err error) {
	culprit := ""
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("compiling %s %q: %w", r.kind, culprit, admission.Contained(p))
		}
	}()
	for _, c := range changes {
		if c.after != nil && c.after.compiled == nil {
			culprit = c.after.name
			c.after.compiled = compiler.Compile(c.after.declared)
		}
	}
	return nil
}

// apply makes changes, which are few, to the latest snapshot.
func (r *roster) apply(changes []change, latest *matching.Snapshot) *matching.Snapshot {
	position, index := 0, 0
	for _, c := range changes {
		for ; index < c.index; index++ {
			position += int(r.sizes[index])
		}
		var replaced int
		var with []*matching.Webhook
		if c.before != nil {
			replaced = int(r.sizes[index])
			index++
		}
		if c.after != nil {
			with = c.after.compiled
		}
		latest = latest.Replace(r.phase, position, replaced, with)
		position += len(with)
	}
	return latest
}

// webhooks returns the webhooks of all configurations.
func (r *roster) webhooks() []*matching.Webhook {
	var all []*matching.Webhook
	for _, c := range r.wanted {
		all = append(all, c.compiled...)
	}
	return all
}

// settle notes that changes have been published.
func (r *roster) settle(changes []change) {
	r.touched, r.renewed = r.touched[:0], false
	if len(changes) > few {
		r.published = slices.Clone(r.wanted)
		r.sizes = make([]int32, len(r.wanted))
		for i, c := range r.wanted {
			r.sizes[i] = int32(len(c.compiled))
		}
		return
	}
	for _, c := range slices.Backward(changes) { // so that the indexes stay right
		from, to := c.index, c.index
		if c.before != nil {
			to++
		}
		if c.after == nil {
			r.published, r.sizes = slices.Delete(r.published, from, to), slices.Delete(r.sizes, from, to)
			continue
		}
		r.published = slices.Replace(r.published, from, to, c.after)
		r.sizes = slices.Replace(r.sizes, from, to, int32(len(c.after.compiled)))
	}
}
