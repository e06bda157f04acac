package harness

import (
	"context"
	"errors"
	"fmt"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// runner runs one scenario. An environment lasts until the configurations
// change.
type runner struct {
	*Harness
	hosts       []*host
	spec        scenario.Environment
	environment *environment
	// alone are the errors of the step's validating webhooks on their own, nil
	// until they are needed.
	alone []Failure
}

func (r *runner) leave() {
	if r.environment != nil {
		r.environment.close()
		r.environment = nil
	}
}

func (r *runner) enter(ctx context.Context, s *scenario.Step) error {
	if s.Mutating != nil || s.Validating != nil {
		r.leave()
	}
	if s.Mutating != nil {
		r.spec.Mutating = s.Mutating
	}
	if s.Validating != nil {
		r.spec.Validating = s.Validating
	}
	if r.environment != nil {
		return nil
	}
	var err error
	r.environment, err = newEnvironment(ctx, &r.spec, r.server, r.hosts)
	return err
}

// run takes all steps, and hands over what was observed of each on every host.
func (r *runner) run(
	ctx context.Context, s *scenario.Scenario, seen func(step int, observed []Observation),
) ([]Difference, error) {
	var all []Difference
	for i := range s.Steps {
		observed, found, err := r.step(ctx, &s.Steps[i])
		if err != nil {
			return all, fmt.Errorf("%s: step %d: %w", s.Name, i, err)
		}
		seen(i, observed)
		for _, d := range found {
			d.Step = i
			all = append(all, d)
		}
	}
	return all, nil
}

// step has every side serve the request, and judges.
func (r *runner) step(ctx context.Context, s *scenario.Step) ([]Observation, []Difference, error) {
	if err := r.enter(ctx, s); err != nil {
		return nil, nil, err
	}
	r.alone = nil
	observed := make([]Observation, len(r.hosts))
	for i, one := range r.hosts {
		var err error
		if observed[i], err = r.observe(ctx, r.environment, one, s); err != nil {
			return nil, nil, err
		}
		if r.watch != nil {
			r.watch(one.side, &observed[i])
		}
	}
	found, err := r.judge(ctx, s, observed)
	return observed, found, err
}

// judge returns the differences from upstream and from the expectation.
func (r *runner) judge(
	ctx context.Context, s *scenario.Step, observed []Observation,
) ([]Difference, error) {
	var all []Difference
	for i, one := range r.hosts {
		found := unmet(s.Want, &observed[i])
		if i > 0 {
			differing, err := r.compare(ctx, one.side, s, observed[0], observed[i])
			if err != nil {
				return nil, err
			}
			found = append(found, differing...)
		}
		for _, d := range found {
			d.Side = one.side
			all = append(all, d)
		}
	}
	return all, nil
}

func (r *runner) observe(
	ctx context.Context, p *environment, one *host, s *scenario.Step,
) (Observation, error) {
	made, err := r.kinds.Request(&s.Request, &r.spec)
	if err != nil {
		return Observation{}, fmt.Errorf("request: %w", err)
	}
	o, err := p.observe(ctx, one, r.server, made)
	if err != nil {
		return Observation{}, errors.Join(err, ctx.Err())
	}
	return o, nil
}

// compare ignores known differences.
func (r *runner) compare(
	ctx context.Context, side Side, s *scenario.Step, want, got Observation,
) ([]Difference, error) {
	c := &comparison{side: side, step: s, want: want, got: got}
	for _, d := range knownDifferences() {
		if d.applies(c) {
			d.adjust(c)
		}
	}
	found, err := r.chooseRejection(ctx, c)
	return append(found, Compare(c.want, c.got)...), err
}
