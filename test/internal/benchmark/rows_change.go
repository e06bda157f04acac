package main

import (
	"context"
	"net/http"
	"slices"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
)

// slowdown is the 99th percentile while configurations change ÷ that while they
// do not.
const slowdown unit = "p99-times-longer"

// How often requests come and how often configurations change in B9/p99, which
// has a tenth of the configurations of B9.
const arrivals, changes = 100 * time.Microsecond, 100 * time.Millisecond

func changeRows() []row {
	const gate, goal = float64(4 * time.Millisecond), float64(2 * time.Millisecond)
	return []row{
		{
			name:  "B9",
			what:  "1 of 10,000 configurations changes: from its delivery by the informer to the new snapshot",
			gates: []bound{{timePerOp, atMost, gate}},
			goals: []bound{{timePerOp, atMost, goal}},
			open:  openInformed,
		},
		{
			name: "B9/store", what: "the same in a Store, which is given all 10,000 again",
			gates: []bound{{timePerOp, atMost, gate}}, goals: []bound{{timePerOp, atMost, goal}}, open: openStore,
		},
		{
			name:     "B9/p99",
			what:     "p99 of pods that none of 1,000 webhooks matches, one every 100 µs, with a change every 100 ms ÷ without",
			headline: slowdown,
			gates:    []bound{{slowdown, atMost, 2}},
			open:     openBusy,
		},
	}
}

// alone is a bench of gatehouse alone.
func alone(measure func(context.Context) (sample, error), end func()) *bench {
	return &bench{sides: []side{gatehouse}, close: end,
		measure: func(ctx context.Context, _ side) (sample, error) {
			return measure(ctx)
		}}
}

// repeat makes measured steps until the span is over.
func repeat(span time.Duration, step func() (batch, error)) (sample, error) {
	var total batch
	for total.operations == 0 || total.elapsed < span {
		b, err := step()
		if err != nil {
			return sample{}, err
		}
		total.add(b)
	}
	return total.sample(), nil
}

func openInformed(ctx context.Context, s *settings) (*bench, error) {
	c, err := newChanging(ctx, validatingWebhooks(s.many, 1, elsewhere))
	if err != nil {
		return nil, err
	}
	change := func() (batch, error) {
		before, err := c.source.Current(ctx)
		if err != nil {
			return batch{}, err
		}
		at, changed := c.prepare()
		return timedStep(func() error {
			c.deliver(at, changed)
			after, err := c.source.Current(ctx)
			if err != nil {
				return err
			}
			return differing(before, after)
		})
	}
	return alone(
		func(context.Context) (sample, error) { return repeat(s.span, change) },
		c.source.Close,
	), nil
}

func openStore(ctx context.Context, s *settings) (*bench, error) {
	// It is used for its configurations and its changes.
	c, err := newChanging(ctx, validatingWebhooks(s.many, 1, elsewhere))
	if err != nil {
		return nil, err
	}
	c.source.Close()
	store := source.NewStore()
	store.Set(nil, slices.Clone(c.configurations))
	change := func() (batch, error) {
		before, err := store.Current(ctx)
		if err != nil {
			return batch{}, err
		}
		at, changed := c.prepare()
		c.configurations[at] = changed
		all := slices.Clone(c.configurations)
		return timedStep(func() error {
			store.Set(nil, all)
			after, err := store.Current(ctx)
			if err != nil {
				return err
			}
			return differing(before, after)
		})
	}
	return alone(
		func(context.Context) (sample, error) { return repeat(s.span, change) },
		func() {},
	), nil
}

// openBusy uses the requests of B1, where the sides were compared.
func openBusy(ctx context.Context, s *settings) (*bench, error) {
	c, err := newChanging(ctx, validatingWebhooks(s.many/10, 1, elsewhere))
	if err != nil {
		return nil, err
	}
	noHandlers := client.InProcess(func(*admission.Webhook) http.Handler { return nil })
	d, err := dispatcher.New(dispatcher.Config{Source: c.source, Client: noHandlers})
	if err != nil {
		c.source.Close()
		return nil, err
	}
	l := &lane{side: gatehouse, chain: &chain{validating: d.Validating()}, work: forPods(nil, 0)}
	measure := func(ctx context.Context) (sample, error) {
		idle, err := l.pace(ctx, 2*s.span, arrivals)
		if err != nil {
			return sample{}, err
		}
		stop := c.keepChanging(changes)
		busy, err := l.pace(ctx, 2*s.span, arrivals)
		stop()
		if err != nil {
			return sample{}, err
		}
		quiet, loud := float64(idle.percentile(99)), float64(busy.percentile(99))
		return sample{
			len(busy.latencies),
			map[unit]float64{
				median99:      loud,
				"idle-p99-ns": quiet,
				slowdown:      loud / quiet,
				"longest-ns":  float64(busy.percentile(100)),
			},
		}, nil
	}
	return alone(measure, c.source.Close), nil
}

// keepChanging delivers a change again and again until it is stopped.
func (c *changing) keepChanging(every time.Duration) (stop func()) {
	type change struct {
		at      int
		changed *registrationv1.ValidatingWebhookConfiguration
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			var next change
			next.at, next.changed = c.prepare()
			select {
			case <-end:
				return
			case <-ticker.C:
				c.deliver(next.at, next.changed)
			}
		}
	}()
	return func() { close(end); <-ended }
}
