package outage

import (
	"context"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/simulation"
)

// Exclusion exempts the requests of a namespace from a webhook.
type Exclusion struct {
	Webhook   *admission.Webhook
	Namespace string
}

// Edge says that a backend cannot start before another one is up.
type Edge struct {
	Backend, Blocker inventory.Backend
	// Webhooks are those of the blocker whose failure refuses requests of the
	// backend.
	Webhooks []*admission.Webhook
	// Request is the first of them.
	Request *critical.Request
}

// Deadlock is a group of backends that wait for each other.
type Deadlock struct {
	// Cycle is a shortest cycle: each edge's blocker is the backend of the next.
	Cycle []Edge
	// Exclusions free all backends; Fewest says that no fewer do.
	Exclusions []Exclusion
	Fewest     bool
}

// NewDeadlock analyses the backends that do not come up; nil if there are none.
func NewDeadlock(
	ctx context.Context, s *simulation.Simulator, needs []Needs, cold *ColdStart,
) (*Deadlock, error) {
	g := graph{}
	for _, stuck := range cold.Stuck {
		edges, err := edgesFrom(ctx, s, needsOf(needs, stuck.Backend))
		if err != nil {
			return nil, err
		}
		g[stuck.Backend] = slices.DeleteFunc(edges, func(e Edge) bool {
			return !cold.isStuck(e.Blocker)
		})
	}
	cycle := g.shortestCycle()
	if cycle == nil {
		return nil, nil
	}
	d := &Deadlock{Cycle: cycle}
	d.Exclusions, d.Fewest = g.exclusions()
	return d, nil
}

func (c *ColdStart) isStuck(b inventory.Backend) bool {
	return slices.ContainsFunc(c.Stuck, func(s Stuck) bool { return s.Backend == b })
}

// graph has the edges from each backend that is stuck.
type graph map[inventory.Backend][]Edge

// edgesFrom returns an edge to each backend with a webhook that receives a request
// which a backend needs, and whose failure would refuse it.
func edgesFrom(ctx context.Context, s *simulation.Simulator, n *Needs) ([]Edge, error) {
	var edges []Edge
	for _, r := range n.Requests {
		result, err := s.Run(ctx, r.Request, r.Deadline, nil)
		if err != nil {
			return nil, err
		}
		for i := range result.Calls {
			w := result.Calls[i].Webhook
			if w.IgnoresFailures() {
				continue
			}
			blocker := inventory.BackendOf(w)
			at := slices.IndexFunc(edges, func(e Edge) bool { return e.Blocker == blocker })
			if at < 0 {
				at = len(edges)
				edges = append(edges, Edge{Backend: n.Backend, Blocker: blocker, Request: r})
			}
			if !slices.Contains(edges[at].Webhooks, w) {
				edges[at].Webhooks = append(edges[at].Webhooks, w)
			}
		}
	}
	return edges, nil
}

// shortestCycle returns a shortest cycle; nil if there is none.
func (g graph) shortestCycle() []Edge {
	all := g.backends()
	for _, b := range all {
		if i := slices.IndexFunc(g[b], func(e Edge) bool { return e.Blocker == b }); i >= 0 {
			return g[b][i : i+1]
		}
	}
	var shortest []Edge
	for _, start := range all {
		cycle := g.cycleFrom(start)
		if cycle != nil && (shortest == nil || len(cycle) < len(shortest)) {
			shortest = cycle
		}
		if len(shortest) == 2 {
			break // there is none of length 1
		}
	}
	return shortest
}

// backends returns the backends with edges, by name.
func (g graph) backends() []inventory.Backend {
	var all []inventory.Backend
	for b := range g {
		all = append(all, b)
	}
	sortByName(all)
	return all
}

// cycleFrom returns a shortest cycle through a backend, by breadth-first search.
func (g graph) cycleFrom(start inventory.Backend) []Edge {
	paths := [][]Edge{nil}
	seen := map[inventory.Backend]bool{}
	for len(paths) > 0 {
		path := paths[0]
		paths = paths[1:]
		at := start
		if len(path) > 0 {
			at = path[len(path)-1].Blocker
		}
		for _, e := range g[at] {
			longer := append(slices.Clone(path), e)
			if e.Blocker == start {
				return longer
			}
			if !seen[e.Blocker] {
				seen[e.Blocker] = true
				paths = append(paths, longer)
			}
		}
	}
	return nil
}
