package parity

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// statistics counts what happens in generated scenarios, on upstream's side, so
// that it is known that they are about something.
type statistics struct {
	// about is the scenario under way.
	about    *scenario.Scenario
	requests int
	with     map[string]int
}

// least returns the least share of requests, in percent, that an occurrence
// must have. Of few cases that are drawn, shares vary: half of it has to do.
func least(occurrence string, cases int) float64 {
	const many = 5000
	if cases < many {
		return least(occurrence, many) / 2
	}
	switch occurrence {
	case typedSpec:
		return 20
	case "a deadline that passes", "a call for a connection", "a call in a dry run",
		"an answer of unusual form", "a check of the authorizer":
		return 1
	case "a call for one of a collection":
		return 0.5
	case "other configurations":
		return 3
	}
	return 10
}

// typedSpec is the occurrence that shortcuts of patching are about.
const typedSpec = "a patch of a typed spec"

// occurrences are what a comparison has to see often.
func (s *statistics) occurrences() map[string]func(*harness.Observation) bool {
	return map[string]func(*harness.Observation) bool{
		"a call":         func(o *harness.Observation) bool { return len(o.MutatingCalls)+len(o.ValidatingCalls) > 0 },
		"a patch":        func(o *harness.Observation) bool { return hasKey(o.Request, "patch.webhook") },
		typedSpec:        patchesTypedSpec,
		"a reinvocation": func(o *harness.Observation) bool { return o.IsReinvoke },
		"an error":       func(o *harness.Observation) bool { return o.Error.Type != "" },
		"an equivalent match": func(o *harness.Observation) bool {
			return slices.ContainsFunc(slices.Concat(o.MutatingCalls, o.ValidatingCalls), isEquivalent)
		},
		"a deadline that passes":         func(o *harness.Observation) bool { return o.Over() && len(o.MutatingCalls)+len(o.ValidatingCalls) > 0 },
		"a call for a connection":        sends(`"operation":"CONNECT"`),
		"a call for one of a collection": sends(`"operation":"DELETE"`, `"object":null`, `"name":"y"`),
		"a call in a dry run":            sends(`"dryRun":true`),
		"a check of the authorizer":      func(o *harness.Observation) bool { return len(o.HostCalls.Authorizations) > 0 },
		"an answer of unusual form":      s.isUnusual,
		"other configurations":           func(*harness.Observation) bool { return s.about.Steps[len(s.about.Steps)-1].Mutating != nil },
		"a condition that excludes":      func(o *harness.Observation) bool { return hasText(o.Metrics, "match_condition_exclusions_total") },
	}
}

// isUnusual reports whether a called webhook responds with a raw body, with
// compression, or with a status or header.
func (s *statistics) isUnusual(o *harness.Observation) bool {
	return slices.ContainsFunc(slices.Concat(o.MutatingCalls, o.ValidatingCalls), func(c harness.Call) bool {
		return slices.ContainsFunc(s.about.Answers[c.Path], func(a scenario.Answer) bool {
			return a.Body != nil || a.Gzip || a.Status != 0 || a.Header != nil
		})
	})
}

// sends reports whether there is a review with all of the texts.
func sends(texts ...string) func(*harness.Observation) bool {
	return func(o *harness.Observation) bool {
		return slices.ContainsFunc(slices.Concat(o.MutatingCalls, o.ValidatingCalls), func(c harness.Call) bool {
			return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(c.Body, text) })
		})
	}
}

func hasText(list []string, text string) bool {
	return slices.ContainsFunc(list, func(one string) bool { return strings.Contains(one, text) })
}

// patchesTypedSpec reports whether a webhook patched what a typed object has
// beside its metadata.
func patchesTypedSpec(o *harness.Observation) bool {
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

// isEquivalent reports whether a review has another resource than the request.
func isEquivalent(c harness.Call) bool {
	resource, rest, _ := strings.Cut(after(c.Body, `"resource":`), "}")
	requested, _, _ := strings.Cut(after(rest, `"requestResource":`), "}")
	return resource != requested
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// watch counts one observation.
func (s *statistics) watch(side harness.Side, o *harness.Observation) {
	if side != harness.Upstream {
		return
	}
	if s.with == nil {
		s.with = map[string]int{}
	}
	s.requests++
	for name, has := range s.occurrences() {
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
	for name := range s.occurrences() {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", name, s.share(name)))
	}
	slices.Sort(parts)
	return "generated: requests with " + strings.Join(parts, ", ")
}
