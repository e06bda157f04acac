package parity

import (
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/test/parity/world"
)

// statistics counts what happens in generated scenarios, on upstream's side, so
// that it is known that they are about something.
type statistics struct {
	requests int
	with     map[string]int
}

// rare is the least share of requests, in percent, that each occurrence must have.
const rare = 10

// occurrences are what a comparison has to see often.
func occurrences() map[string]func(*world.Observation) bool {
	return map[string]func(*world.Observation) bool{
		"a call":         func(o *world.Observation) bool { return len(o.MutatingCalls)+len(o.ValidatingCalls) > 0 },
		"a patch":        func(o *world.Observation) bool { return hasKey(o.Request, "patch.webhook") },
		"a reinvocation": func(o *world.Observation) bool { return o.IsReinvoke },
		"an error":       func(o *world.Observation) bool { return o.Error.Type != "" },
		"an equivalent match": func(o *world.Observation) bool {
			return slices.ContainsFunc(slices.Concat(o.MutatingCalls, o.ValidatingCalls), isEquivalent)
		},
	}
}

func hasKey(annotations map[string]string, prefix string) bool {
	for key := range annotations {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// isEquivalent reports whether a review is about another resource than the
// request.
func isEquivalent(c world.Call) bool {
	resource, rest, _ := strings.Cut(after(c.Body, `"resource":`), "}")
	requested, _, _ := strings.Cut(after(rest, `"requestResource":`), "}")
	return resource != requested
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// watch counts one observation.
func (s *statistics) watch(side world.Side, o *world.Observation) {
	if side != world.Upstream {
		return
	}
	if s.with == nil {
		s.with = map[string]int{}
	}
	s.requests++
	for name, has := range occurrences() {
		if has(o) {
			s.with[name]++
		}
	}
}

// share returns how many requests in a hundred had an occurrence.
func (s *statistics) share(name string) float64 {
	return 100 * float64(s.with[name]) / float64(max(s.requests, 1))
}

func (s *statistics) String() string {
	var parts []string
	for name := range occurrences() {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", name, s.share(name)))
	}
	slices.Sort(parts)
	return "generated: requests with " + strings.Join(parts, ", ")
}
