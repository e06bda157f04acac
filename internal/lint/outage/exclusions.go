package outage

import (
	"maps"
	"slices"

	"example.com/gatehouse/admission"
)

// maxTries bounds the search for exclusions; it takes less than a second, also with 60
// backends that wait for each other.
const maxTries = 500

// exclusions returns the fewest exclusions that free all backends. If the search takes
// too long, fewest is false: it then returns one for each edge of every cycle that it
// met.
func (g graph) exclusions() (all []Exclusion, fewest bool) {
	own := g.own()
	s := &search{tries: maxTries, chosen: own}
	for budget := 0; s.tries > 0; budget++ {
		if s.free(g, budget) {
			return s.chosen, true
		}
	}
	s.chosen = own
	for {
		rest := g.without(s.chosen)
		cycle := rest.shortestCycle()
		if cycle == nil {
			return s.chosen, false
		}
		s.chosen = append(s.chosen, exclusionsOf(cycle[0])...)
	}
}

// own returns the exclusions of backends that wait for themselves: no others help them.
func (g graph) own() []Exclusion {
	var all []Exclusion
	for _, b := range g.backends() {
		for _, e := range g[b] {
			if e.Blocker == b {
				all = append(all, exclusionsOf(e)...)
			}
		}
	}
	return all
}

// search looks for exclusions. Each level cuts one edge of a shortest cycle.
type search struct {
	tries  int
	chosen []Exclusion
}

// free reports whether at most budget exclusions, in addition to those chosen, free all
// backends of g, and adds them.
func (s *search) free(g graph, budget int) bool {
	rest := g.without(s.chosen)
	cycle := rest.shortestCycle()
	if cycle == nil {
		return true
	}
	if s.tries--; s.tries <= 0 {
		return false
	}
	before := s.chosen
	for _, e := range cycle {
		more := exclusionsOf(e)
		if len(more) > budget {
			continue
		}
		s.chosen = append(slices.Clone(before), more...)
		if s.free(g, budget-len(more)) {
			return true
		}
	}
	s.chosen = before
	return false
}

// exclusionsOf returns the exclusions that cut an edge.
func exclusionsOf(e Edge) []Exclusion {
	var all []Exclusion
	for _, w := range e.Webhooks {
		all = append(all, Exclusion{w, e.Backend.Namespace})
	}
	return all
}

// without returns the graph with exclusions in force.
func (g graph) without(exclusions []Exclusion) graph {
	rest := maps.Clone(g)
	for b, edges := range g {
		var left []Edge
		for _, e := range edges {
			e.Webhooks = slices.DeleteFunc(slices.Clone(e.Webhooks), func(w *admission.Webhook) bool {
				return slices.Contains(exclusions, Exclusion{w, b.Namespace})
			})
			if len(e.Webhooks) > 0 {
				left = append(left, e)
			}
		}
		rest[b] = left
	}
	return rest
}
