package harness

import (
	"context"
	"fmt"

	"example.com/gatehouse/test/internal/parity/scenario"
	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// Harness runs scenarios. Make one with New and end it with Close.
type Harness struct {
	oracle Oracle
	server *webhookserver.Server
	kinds  Kinds
	hosts  []*host // upstream first
	watch  func(Side, *Observation)
}

// Watch calls f for every observation of Run, before it is compared.
func (h *Harness) Watch(f func(Side, *Observation)) { h.watch = f }

// New starts the test server and makes the plugins of all sides. It takes the
// metrics of Go and of the process out of apiserver's global registry, where
// they would only take time.
func New(oracle Oracle) (*Harness, error) {
	known, err := NewKinds()
	if err != nil {
		return nil, err
	}
	server, err := webhookserver.Start()
	if err != nil {
		return nil, err
	}
	WithoutRuntimeMetrics()
	h := &Harness{oracle: oracle, server: server, kinds: known}
	h.hosts = h.newHosts()
	return h, nil
}

func (h *Harness) newHosts() []*host {
	var hosts []*host
	for _, side := range []Side{Upstream, Gatehouse, Exact, Explained} {
		hosts = append(hosts, newHost(side, h.oracle, h.server.Address()))
	}
	return hosts
}

// Close ends what New started.
func (h *Harness) Close() error {
	for _, one := range h.hosts {
		one.close()
	}
	return h.server.Close()
}

// Run runs every step of a scenario on upstream and on the given sides, or on
// Gatehouse and Exact if none is given. It returns the differences of a side
// from upstream, and of any side from the scenario's expectation. An error
// means that the scenario could not be run.
func (h *Harness) Run(
	ctx context.Context, s *scenario.Scenario, sides ...Side,
) ([]Difference, error) {
	hosts, done := h.hostsFor(s)
	defer done()
	r := &runner{Harness: h, hosts: chosen(hosts, sides), spec: s.Environment}
	defer r.leave()
	return r.run(ctx, s, func(int, []Observation) {})
}

// Observe runs every step of a scenario on one side and compares nothing.
func (h *Harness) Observe(
	ctx context.Context, s *scenario.Scenario, side Side,
) ([]Observation, error) {
	hosts, done := h.hostsFor(s)
	defer done()
	r := &runner{Harness: h, hosts: []*host{hosts[side-Upstream]}, spec: s.Environment}
	defer r.leave()
	var all []Observation
	for i := range s.Steps {
		if err := r.enter(ctx, &s.Steps[i]); err != nil {
			return nil, fmt.Errorf("%s: step %d: %w", s.Name, i, err)
		}
		o, err := r.observe(ctx, r.environment, r.hosts[0], &s.Steps[i])
		if err != nil {
			return nil, fmt.Errorf("%s: step %d: %w", s.Name, i, err)
		}
		all = append(all, o)
	}
	return all, nil
}

// hostsFor returns the hosts for a scenario, and a function that releases them.
// A scenario with excluded resources needs new plugins, because plugins keep
// them.
func (h *Harness) hostsFor(s *scenario.Scenario) (hosts []*host, done func()) {
	if len(s.Excluded) == 0 {
		return h.hosts, func() {}
	}
	hosts = h.newHosts()
	return hosts, func() {
		for _, one := range hosts {
			one.close()
		}
	}
}

// chosen returns upstream and the hosts of the given sides, in their order.
func chosen(hosts []*host, sides []Side) []*host {
	if len(sides) == 0 {
		sides = []Side{Gatehouse, Exact}
	}
	some := hosts[:1:1]
	for _, one := range hosts[1:] {
		for _, side := range sides {
			if one.side == side {
				some = append(some, one)
			}
		}
	}
	return some
}
