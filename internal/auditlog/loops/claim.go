package loops

import (
	"slices"

	"example.com/gatehouse/internal/auditlog"
)

// object is what webhooks wrote to an object.
type object struct {
	claims  []claim
	repeats []repeat
	// loops are those that the object is counted in.
	loops []*Loop
}

// claim is a value that a webhook wrote to a path.
type claim struct {
	write
	webhook string
	// stands is true if the value has not changed since; otherwise by changed it.
	stands bool
	by     Party
	// times is the number of times that the webhook wrote the value again.
	times       int
	undoers     []Party
	first, last Moment
	loop        *Loop
}

// repeat is a patch that a webhook made on successive updates.
type repeat struct {
	webhook, subresource string
	patch                uint64
	times                int
	first, last          Moment
	loop                 *Loop
}

// visit is an event of an object.
type visit struct {
	*Finder
	event  *auditlog.Event
	object *object
	key    objectKey
	moment Moment
}

// user notes which values the request itself undoes or restores.
func (v *visit) user() {
	e := v.event
	if len(e.RequestObject) == 0 || len(v.object.claims) == 0 {
		return
	}
	by := Party{User: e.User.Name, Manager: e.Manager()}
	for i := range v.object.claims {
		c := &v.object.claims[i]
		touched, equal := c.in(e)
		switch {
		case touched && equal:
			c.stands = true
		case touched && c.stands:
			c.stands, c.by = false, by
		}
	}
}

// call notes what a webhook wrote, and counts what it wrote again.
func (v *visit) call(c *auditlog.Call) {
	if !c.Mutating {
		return
	}
	webhook := name(c)
	if !c.Changed {
		v.object.repeats = slices.DeleteFunc(v.object.repeats, func(r repeat) bool {
			return r.webhook == webhook && r.subresource == v.event.Ref.Subresource
		})
		return
	}
	if c.Patch == nil {
		return
	}
	again := false
	for _, w := range operations(c.Patch) {
		again = v.write(webhook, w) || again
	}
	v.repeat(webhook, c.Patch, again)
}

// write notes a value. It reports whether the webhook wrote the same one before, and it was
// undone since.
func (v *visit) write(webhook string, w write) (again bool) {
	var own *claim
	for i := range v.object.claims {
		c := &v.object.claims[i]
		switch {
		case c.webhook == webhook && c.path == w.path && c.item == w.item:
			own = c
		case c.path == w.path && c.item == w.item && c.value != w.value && c.stands:
			c.stands, c.by = false, Party{Webhook: webhook}
		}
	}
	if own == nil {
		if len(v.object.claims) < maxClaims {
			v.object.claims = append(v.object.claims,
				claim{write: w, webhook: webhook, stands: true, first: v.moment, last: v.moment})
		}
		return false
	}
	again = own.value == w.value && !own.stands
	if own.value != w.value || again && v.event.Time.Sub(own.last.Time) > v.config.Gap {
		*own = claim{write: w, webhook: webhook, by: own.by, first: v.moment}
	}
	own.stands, own.last = true, v.moment
	if again {
		v.again(own)
	}
	return again
}

// again counts that a webhook wrote a value again.
func (v *visit) again(c *claim) {
	c.times++
	c.undoers = countParty(c.undoers, c.by, 1)
	if c.times < v.config.Least {
		return
	}
	if c.loop != nil {
		c.loop.add(v.moment, 1)
		c.loop.Undoers = countParty(c.loop.Undoers, c.by, 1)
		return
	}
	c.loop = v.group(Undone, c.webhook, c.undoers[0])
	if c.loop == nil {
		return
	}
	v.found(c.loop, c.first, c.times, []write{c.write})
	for _, p := range c.undoers {
		c.loop.Undoers = countParty(c.loop.Undoers, p, p.Times)
	}
}

// countParty adds to the times of a party.
func countParty(all []Party, by Party, times int) []Party {
	for i := range all {
		if all[i].same(by) {
			all[i].Times += times
			return all
		}
	}
	if len(all) >= maxUndoers {
		return all
	}
	by.Times = times
	return append(all, by)
}

// repeat notes a patch. If a value in it had been undone, the loop is of this kind.
func (v *visit) repeat(webhook string, patch []byte, undone bool) {
	if v.event.Verb != "update" && v.event.Verb != "patch" {
		return
	}
	hash := hashOf(patch)
	sub := v.event.Ref.Subresource
	i := slices.IndexFunc(v.object.repeats, func(r repeat) bool {
		return r.webhook == webhook && r.subresource == sub
	})
	if i < 0 {
		if len(v.object.repeats) >= maxClaims {
			return
		}
		v.object.repeats = append(v.object.repeats, repeat{webhook: webhook, subresource: sub})
		i = len(v.object.repeats) - 1
	}
	r := &v.object.repeats[i]
	if undone || r.patch != hash || v.event.Time.Sub(r.last.Time) > v.config.Gap {
		*r = repeat{webhook: webhook, subresource: sub, patch: hash, first: v.moment, last: v.moment}
		return
	}
	r.times++
	r.last = v.moment
	switch {
	case r.loop != nil:
		r.loop.add(v.moment, 1)
	case r.times >= v.config.Least:
		if r.loop = v.group(Repeated, webhook, Party{}); r.loop != nil {
			v.found(r.loop, r.first, r.times, operations(patch))
		}
	}
}
