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
	// Request is the first request that fails, and Outcome why. The last of
	// Outcome.Failed is the webhook that refuses it.
	Request *critical.Request
	Outcome *Outcome
}

// BlockedBy returns the backend that keeps s down.
func (s *Stuck) BlockedBy() inventory.Backend {
	failed := s.Outcome.Failed
	if len(failed) == 0 { // a policy refuses it
		return inventory.Backend{}
	}
	return inventory.BackendOf(failed[len(failed)-1])
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
			return cold, nil
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
			return &Stuck{n.Backend, r, OutcomeOf(result)}, nil
		}
	}
	return nil, nil
}
