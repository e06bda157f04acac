package behaviour

import (
	"context"
	"fmt"
	"slices"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// together are the checks of all webhooks.
func together(repeats *repeats) []check.Check {
	t := &trials{repeats: repeats}
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-REINVOCATION", Group: report.Behaviour, Level: report.Should,
				Title: "is called again if it needs to be",
				Why:   "A webhook with reinvocationPolicy Never is called once. What others change after that it does not see, and the object is stored without what the webhook would have made of it.",
				Fix:   "Set reinvocationPolicy: IfNeeded for the webhooks that are named.",
			},
			All: t.find(settledIfNeeded, func(v *verdict) string {
				return "called again, " + names(v.webhooks) + " would change the object, but reinvocationPolicy is Never"
			}),
		},
		{
			Check: report.Check{
				ID: "C-FIXPOINT", Group: report.Behaviour, Level: report.Should,
				Title: "is done after two passes",
				Why:   "kube-apiserver makes one pass through all mutating webhooks and at most one more, through those that ask for it. What would take a third is missing from the object until it is updated.",
				Fix:   "Have a webhook make all of its changes at once, whatever others have or have not done, or make one webhook of those that wait for each other.",
			},
			All: t.find(settledLate, func(v *verdict) string {
				return names(v.webhooks) + " would change the object again: " + counted(v.passes) + " would be needed, and kube-apiserver makes two"
			}),
		},
		{
			Check: report.Check{
				ID: "C-COLLECTION", Group: report.Behaviour, Level: report.Must,
				Title: "agrees with the other webhooks in the end",
				Why:   "Webhooks that undo each other's work never come to an end: every update changes the object again, and controllers that react to that go round with it.",
				Fix:   "Have one webhook decide each field, or have one leave alone what the other has set.",
			},
			All: t.find(unsettled, func(v *verdict) string {
				return names(v.webhooks) + " would change the object again, and so on after " + counted(passes+apiserverPasses)
			}),
		},
	}
}

func counted(n int) string { return fmt.Sprintf("%d passes", n) }

// trials remembers what was learned, because three checks ask for it.
type trials struct {
	repeats  *repeats
	verdicts map[*probe.Sample]*verdict
}

// find returns the check that finds the samples with an ending.
func (t *trials) find(e ending, say func(*verdict) string) func(context.Context, *probe.Collection, *check.Record) {
	return func(ctx context.Context, c *probe.Collection, r *check.Record) {
		mutating := c.Mutating()
		if len(mutating) < 2 {
			r.Lacks("there are not two mutating webhooks")
			return
		}
		r.Lacks("no sample with an object gets through the mutating webhooks")
		good := goodSamples(mutating)
		for _, s := range c.Samples {
			v := t.verdict(ctx, c, good, s)
			if v.ending == unseen {
				continue
			}
			r.Saw()
			if v.ending == e {
				r.Find(finding(s.Name, paths(v.changes), v.evidence...), "%s", say(v))
			}
		}
	}
}

func (t *trials) verdict(ctx context.Context, c *probe.Collection, good map[*probe.Webhook]map[*probe.Sample]bool, s *probe.Sample) *verdict {
	if known := t.verdicts[s]; known != nil {
		return known
	}
	if t.verdicts == nil {
		t.verdicts = map[*probe.Sample]*verdict{}
	}
	trial := &trial{c: c, request: s.Request, webhooks: t.repeats.company(ctx, c.Mutating(), good, s)}
	v := trial.judge(ctx)
	t.verdicts[s] = &v
	return &v
}

// company returns the webhooks that a sample is tried with. Those are left out that cannot
// be reached, have no good answer to it or are not idempotent: that is for other checks.
// Those that it does not visit may be visited once it is changed. There are none if it
// visits none of them.
func (rs *repeats) company(ctx context.Context, webhooks []*probe.Webhook, good map[*probe.Webhook]map[*probe.Sample]bool, s *probe.Sample) []*probe.Webhook {
	var all []*probe.Webhook
	visited := false
	for _, w := range webhooks {
		switch {
		case w.Unreachable != nil:
		case !visits(w, s):
			all = append(all, w)
		case good[w][s] && rs.of(ctx, w, s).good():
			all, visited = append(all, w), true
		}
	}
	if !visited {
		return nil
	}
	return all
}

// visits reports whether a sample visits a webhook as it is.
func visits(w *probe.Webhook, s *probe.Sample) bool {
	return slices.ContainsFunc(w.Visits, func(v *probe.Visit) bool { return v.Sample == s })
}

// goodSamples says which samples the webhooks have a good answer to.
func goodSamples(webhooks []*probe.Webhook) map[*probe.Webhook]map[*probe.Sample]bool {
	good := map[*probe.Webhook]map[*probe.Sample]bool{}
	for _, w := range webhooks {
		good[w] = map[*probe.Sample]bool{}
		for _, v := range w.Good() {
			good[w][v.Sample] = true
		}
	}
	return good
}
