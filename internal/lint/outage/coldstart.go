package outage

import (
	"context"
	"slices"

	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/simulation"
)

// ColdStart is what happens after all backends were down.
type ColdStart struct {
	// Rounds are the backends that come up, in the order in which they can.
	Rounds [][]inventory.Backend
	// Stuck are those that never do, with what keeps each of them down.
	Stuck []Stuck
}

// Stuck is a backend that does not come up.
type Stuck struct {
	Backend inventory.Backend
	// Request is the first request that fails, and Outcome why.
	Request *critical.Request
	Outcome *Outcome
	// Alone is the same while all other backends are up; nil if Backend comes up then.
	Alone *Stuck
}

// NewColdStart starts all backends. One comes up when every request that it needs
// succeeds while those that are not up refuse connections. What succeeds once
// succeeds later, too, so the result does not depend on the order.
func NewColdStart(ctx context.Context, s *simulation.Simulator, needs []Needs) (*ColdStart, error) {
	cold, down := &ColdStart{}, simulation.Down{}
	for _, n := range needs {
		down[n.Backend] = simulation.Refusing
	}
	for waiting := needs; ; {
		var up []inventory.Backend
		cold.Stuck = nil
		for _, n := range waiting {
			stuck, err := n.try(ctx, s, down)
			switch {
			case err != nil:
				return nil, err
			case stuck != nil:
				cold.Stuck = append(cold.Stuck, *stuck)
			default:
				up = append(up, n.Backend)
			}
		}
		if len(up) == 0 {
			return cold, cold.tryAlone(ctx, s, waiting)
		}
		cold.Rounds = append(cold.Rounds, up)
		waiting = slices.DeleteFunc(slices.Clone(waiting), func(n Needs) bool {
			return slices.Contains(up, n.Backend)
		})
		for _, b := range up {
			delete(down, b)
		}
	}
}

// tryAlone starts each backend that is stuck while all others are up.
func (c *ColdStart) tryAlone(
	ctx context.Context, s *simulation.Simulator, waiting []Needs,
) (err error) {
	for i := range c.Stuck {
		down := simulation.Down{c.Stuck[i].Backend: simulation.Refusing}
		if c.Stuck[i].Alone, err = waiting[i].try(ctx, s, down); err != nil {
			return err
		}
	}
	return nil
}

// try makes the requests that a backend needs. It returns the first that fails, or nil.
func (n *Needs) try(
	ctx context.Context, s *simulation.Simulator, down simulation.Down,
) (*Stuck, error) {
	for _, r := range n.Requests {
		result, err := s.Run(ctx, r.Request, r.Deadline, down)
		if err != nil {
			return nil, err
		}
		if !result.Allowed() {
			return &Stuck{Backend: n.Backend, Request: r, Outcome: OutcomeOf(result)}, nil
		}
	}
	return nil, nil
}
