package parity

import (
	"fmt"
	"regexp"
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

// least returns the least share of requests, in percent, that an occurrence must have.
func least(occurrence string) float64 {
	if occurrence == typedSpec {
		return 20
	}
	return 10
}

// typedSpec is the occurrence that shortcuts of patching are about.
const typedSpec = "a patch of a typed spec"

// occurrences are what a comparison has to see often.
func occurrences() map[string]func(*world.Observation) bool {
	return map[string]func(*world.Observation) bool{
		"a call":         func(o *world.Observation) bool { return len(o.MutatingCalls)+len(o.ValidatingCalls) > 0 },
		"a patch":        func(o *world.Observation) bool { return hasKey(o.Request, "patch.webhook") },
		typedSpec:        patchesTypedSpec,
		"a reinvocation": func(o *world.Observation) bool { return o.IsReinvoke },
		"an error":       func(o *world.Observation) bool { return o.Error.Type != "" },
		"an equivalent match": func(o *world.Observation) bool {
			return slices.ContainsFunc(slices.Concat(o.MutatingCalls, o.ValidatingCalls), isEquivalent)
		},
	}
}

// patchesTypedSpec reports whether a webhook patched what a typed object has beside its
// metadata.
func patchesTypedSpec(o *world.Observation) bool {
	if o.Object.Type == "" || strings.HasSuffix(o.Object.Type, "Unstructured") {
		return false
	}
	for key, value := range o.Request {
		if strings.HasPrefix(key, "patch.webhook") && otherThanMetadata.MatchString(value) {
			return true
		}
	}
	return false
}

var otherThanMetadata = regexp.MustCompile(`"path":"/(spec|data|status|revision|stringData|type|immutable)`)

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
