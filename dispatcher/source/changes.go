package source

import (
	"fmt"
	"slices"

	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/matching"
)

// rebuildThreshold is the largest number of changes that are applied to a
// snapshot one by one. With more changes, as on the first list, the snapshot is
// rebuilt.
const rebuildThreshold = 32

// change is one difference between the current configurations of a set and the
// desired ones.
type change struct {
	// index is its position among the current configurations.
	index int
	// before is the current configuration; nil if after is inserted.
	before *configuration
	// after is the desired configuration; nil if before is deleted.
	after *configuration
}

// diff returns the differences between the current and the desired
// configurations, ordered by name.
func (r *configurationSet) diff() []change {
	var all []change
	slices.SortFunc(r.dirty, compareNames)
	r.dirty = slices.Compact(r.dirty)
	for _, name := range r.dirty {
		index, published := find(r.current, name)
		c := change{index: index}
		if published {
			c.before = r.current[index]
		}
		if at, wanted := find(r.desired, name); wanted {
			c.after = r.desired[at]
		}
		if c.before != c.after {
			all = append(all, c)
		}
	}
	return all
}

// compile compiles the configurations that the changes add. No content of a
// configuration makes it fail (see matching.Compiler); only a panic of the CEL
// libraries does.
func (r *configurationSet) compile(changes []change, compiler *matching.Compiler) error {
	for _, c := range changes {
		if c.after == nil || c.after.compiled != nil {
			continue
		}
		err := guard.Do(func() { c.after.compiled = compiler.Compile(c.after.declared) })
		if err != nil {
			return fmt.Errorf("compiling %s %q: %w", r.kind, c.after.name, err)
		}
	}
	return nil
}

// apply returns the latest snapshot with the changes, of which there are at
// most rebuildThreshold.
func (r *configurationSet) apply(changes []change, latest *matching.Snapshot) *matching.Snapshot {
	position, index := 0, 0
	for _, c := range changes {
		for ; index < c.index; index++ {
			position += int(r.webhookCounts[index])
		}
		var replaced int
		var with []*matching.Webhook
		if c.before != nil {
			replaced = int(r.webhookCounts[index])
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

// compiledWebhooks returns the webhooks of all desired configurations.
func (r *configurationSet) compiledWebhooks() []*matching.Webhook {
	var all []*matching.Webhook
	for _, c := range r.desired {
		all = append(all, c.compiled...)
	}
	return all
}

// commit makes the desired configurations the current ones, after a snapshot
// with these changes was made.
func (r *configurationSet) commit(changes []change) {
	r.dirty = nil
	if len(changes) > rebuildThreshold {
		r.current = slices.Clone(r.desired)
		r.webhookCounts = make([]int32, len(r.desired))
		for i, c := range r.desired {
			r.webhookCounts[i] = int32(len(c.compiled))
		}
		return
	}
	for _, c := range slices.Backward(changes) { // the indexes before a change stay valid
		from, to := c.index, c.index
		if c.before != nil {
			to++
		}
		if c.after == nil {
			r.current, r.webhookCounts = slices.Delete(
				r.current,
				from,
				to,
			), slices.Delete(
				r.webhookCounts,
				from,
				to,
			)
			continue
		}
		r.current = slices.Replace(r.current, from, to, c.after)
		r.webhookCounts = slices.Replace(r.webhookCounts, from, to, int32(len(c.after.compiled)))
	}
}
