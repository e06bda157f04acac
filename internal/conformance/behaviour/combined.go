package behaviour

import (
	"context"
	"fmt"
	"slices"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func passCount(n int) string { return fmt.Sprintf("%d passes", n) }

// combinedRuns caches the verdicts, which three checks need.
type combinedRuns struct {
	repeats  *reruns
	verdicts map[*probe.Sample]*verdict
}

// find returns a check that reports the samples with a convergence.
func (t *combinedRuns) find(
	e convergence, message func(*verdict) string,
) func(context.Context, *probe.Collection, *check.Record) {
	return func(ctx context.Context, c *probe.Collection, r *check.Record) {
		mutating := c.Mutating()
		if len(mutating) < 2 {
			r.Missing("there are not two mutating webhooks")
			return
		}
		r.Missing("no sample with an object gets through the mutating webhooks")
		for _, s := range c.Samples {
			v := t.verdict(ctx, c, s)
			if v.convergence == unobserved {
				continue
			}
			r.Checked()
			if v.convergence == e {
				r.Add(newFinding(s.Name, paths(v.changes), v.evidence...), "%s", message(v))
			}
		}
	}
}

func (t *combinedRuns) verdict(ctx context.Context, c *probe.Collection, s *probe.Sample) *verdict {
	if known := t.verdicts[s]; known != nil {
		return known
	}
	if t.verdicts == nil {
		t.verdicts = map[*probe.Sample]*verdict{}
	}
	trial := &convergenceTest{c: c, request: s.Request,
		webhooks: t.repeats.participants(ctx, c.Mutating(), s)}
	v := trial.evaluate(ctx)
	t.verdicts[s] = &v
	return &v
}

// participants returns the webhooks to run with a sample, nil if the sample
// matches none of them. It excludes webhooks that other checks report: those
// that are unreachable, did not answer the sample, or are not idempotent. It
// includes webhooks that the sample does not match, because changes may make it
// match them.
func (rs *reruns) participants(
	ctx context.Context, webhooks []*probe.Webhook, s *probe.Sample,
) []*probe.Webhook {
	var all []*probe.Webhook
	visited := false
	for _, w := range webhooks {
		i := slices.IndexFunc(w.Visits, func(v *probe.Visit) bool { return v.Sample == s })
		switch {
		case w.Unreachable != nil:
		case i < 0:
			all = append(all, w)
		case w.ExchangeFor(w.Visits[i]) != nil && rs.get(ctx, w, s).idempotent():
			all, visited = append(all, w), true
		}
	}
	if !visited {
		return nil
	}
	return all
}
