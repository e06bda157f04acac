package behaviour

import (
	"context"
	"slices"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// orders is the check of each two webhooks.
func orders() []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-ORDER", Group: report.Behaviour, Level: report.Should,
			Title: "makes the same object before another webhook as after it",
			Why:   "Webhooks are called in the order of the names of their configurations, and perhaps again after others. Which of two has its way depends on what somebody has called them.",
			Fix:   "Have one webhook decide each field. Where two have to, let one of them be the last whatever the order is: set reinvocationPolicy: IfNeeded, and let the other leave alone what is there.",
		},
		All: ordersAgree(mostMeetings),
	}}
}

// mostMeetings is how many are looked at: three hundred webhooks have 44,850 pairs, and each of
// them meets with every sample.
const mostMeetings = 1000

func ordersAgree(most int) func(context.Context, *probe.Collection, *check.Record) {
	return func(ctx context.Context, c *probe.Collection, r *check.Record) {
		r.Lacks("no sample visits two mutating webhooks that have a good answer to it")
		all := 0
		for m := range meetings(c.Mutating(), c.Samples) {
			if m.changing == 0 {
				r.Saw() // it stays as it is in either order
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

// compare takes the sample through both orders.
func (m *meeting) compare(ctx context.Context, c *probe.Collection, r *check.Record) {
	ab := run(ctx, c, m.sample.Request, once(m.a, m.b))
	ba := run(ctx, c, m.sample.Request, once(m.b, m.a))
	if ab == nil || ba == nil {
		return
	}
	r.Saw()
	all := slices.DeleteFunc(changes(ab.Object, ba.Object), isReordering)
	if len(all) == 0 {
		return
	}
	// What is not even the same in the same order, such as a random name, says nothing.
	repeated := run(ctx, c, m.sample.Request, once(m.a, m.b))
	if repeated == nil {
		return
	}
	chance := paths(changes(ab.Object, repeated.Object))
	all = slices.DeleteFunc(all, func(c explain.Change) bool { return touches(c.Path, chance) })
	if len(all) == 0 {
		return
	}
	r.Find(finding(m.sample.Name, paths(all), slices.Concat(probe.Exchanges(ab), probe.Exchanges(ba))...),
		"%s before %s makes another object than %s before %s", m.a.FullName(), m.b.FullName(), m.b.FullName(), m.a.FullName())
}

// isReordering reports whether a change only moves an item of a list whose order says
// nothing. Two webhooks that add a container each cannot help it.
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
