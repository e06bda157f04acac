package behaviour

import (
	"context"
	"slices"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// maxPairings bounds the work: 300 webhooks make 44,850 pairs for each sample.
const maxPairings = 1000

func ordersAgree(most int) func(context.Context, *probe.Collection, *check.Record) {
	return func(ctx context.Context, c *probe.Collection, r *check.Record) {
		r.Missing("no sample visits two mutating webhooks that have a good answer to it")
		all := 0
		for m := range pairings(c.Mutating(), c.Samples) {
			if m.changing == 0 {
				r.Checked() // neither order changes it
				break
			}
			if all++; all <= most {
				m.compare(ctx, c, r)
			}
		}
		if all > most {
			r.Note("of %d times that a sample meets with two webhooks one of which changes it, %d were looked at", all, most)
		}
	}
}

// compare admits the sample in both orders.
func (m *pairing) compare(ctx context.Context, c *probe.Collection, r *check.Record) {
	ab := run(ctx, c, m.sample.Request, calledOnce(m.a, m.b))
	ba := run(ctx, c, m.sample.Request, calledOnce(m.b, m.a))
	if ab == nil || ba == nil {
		return
	}
	r.Checked()
	all := slices.DeleteFunc(changes(ab.Object, ba.Object), isReordering)
	if len(all) == 0 {
		return
	}
	// Ignore differences between two runs in the same order, such as a random
	// name.
	repeated := run(ctx, c, m.sample.Request, calledOnce(m.a, m.b))
	if repeated == nil {
		return
	}
	chance := paths(changes(ab.Object, repeated.Object))
	all = slices.DeleteFunc(all, func(c explain.Change) bool { return touches(c.Path, chance) })
	if len(all) == 0 {
		return
	}
	r.Add(
		newFinding(m.sample.Name, paths(all), slices.Concat(probe.Exchanges(ab), probe.Exchanges(ba))...),
		"%s before %s makes another object than %s before %s", m.a.FullName(), m.b.FullName(), m.b.FullName(), m.a.FullName())
}

// isReordering reports whether a change only moves an item of a list whose
// order does not matter. Two webhooks that each add a container cannot avoid
// it.
func isReordering(c explain.Change) bool {
	if c.Op != "move" {
		return false
	}
	list, _, found := cutLast(c.Path, "[")
	if !found {
		return false
	}
	_, name, _ := cutLast("."+list, ".")
	switch name {
	case "containers", "volumes", "volumeMounts", "ports", "imagePullSecrets", "tolerations", "finalizers", "ownerReferences":
		return true
	}
	return false
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}
