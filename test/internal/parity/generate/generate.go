package generate

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// Scenario draws a scenario. It has no name and no expectations.
func Scenario(t *rapid.T) scenario.Scenario {
	if below(t, "about patches", 20) > 11 {
		return patched(t)
	}
	r := anyResource(t)
	s := about(t, r)
	switch last := &s.Steps[len(s.Steps)-1]; {
	case rarely(t, "late", 4):
		delay(t, &s.Environment)
	case len(s.Steps) > 1 && boolean(t, "other configurations"):
		var w scenario.Environment
		configurations(t, &w, r)
		last.Mutating, last.Validating = w.Mutating, w.Validating
	}
	return s
}

// anyResource draws a resource. All connections together are as one.
func anyResource(t *rapid.T) *resource {
	r := oneOf(t, "resource", resources())
	if r.operations[0] == "CONNECT" {
		return oneOf(t, "connection", connections())
	}
	return r
}

// Plain draws a scenario with a single request, in a namespace that exists,
// which webhooks may see: no dry run, in time, and with nothing of the host's
// own in the way. Resources, if any are given, are the plurals of what it may
// be about.
func Plain(t *rapid.T, plurals ...string) scenario.Scenario {
	var some []*resource
	for _, r := range resources() {
		exempt := r.group == "admissionregistration.k8s.io"
		if !exempt && (len(plurals) == 0 || slices.Contains(plurals, r.plural)) {
			some = append(some, r)
		}
	}
	s := about(t, oneOf(t, "resource", some))
	s.Undefaulted, s.InTree, s.Excluded, s.Steps = false, nil, nil, s.Steps[:1]
	q := &s.Steps[0].Request
	q.DryRun, q.Deadline = false, metav1.Duration{}
	if q.Namespace != "" {
		q.Namespace = "shop"
	}
	return s
}

// Crowd draws a scenario with 32 to 64 requests about one resource, over
// configurations that stay.
func Crowd(t *rapid.T) scenario.Scenario {
	var s scenario.Scenario
	r := anyResource(t)
	if below(t, "about patches", 3) == 2 {
		p := oneOf(t, "patched resource", patchedResources())
		r, s = p.resource, patchedWith(t, p)
	} else {
		s = about(t, r)
		if rarely(t, "late", 4) {
			delay(t, &s.Environment)
		}
	}
	s.Steps = nil
	for range 32 + below(t, "how many requests", 33) {
		s.Steps = append(s.Steps, scenario.Step{Request: request(t, r)})
	}
	return s
}

// Condition draws an expression for a matchCondition.
func Condition(t *rapid.T) string { return expression(t, 2) }

func about(t *rapid.T, r *resource) scenario.Scenario {
	s := scenario.Scenario{
		Name: "generated",
		Why:  "both sides agree about anything",
		Environment: scenario.Environment{
			Undefaulted: rarely(t, "undefaulted", 20),
			Namespaces: []corev1.Namespace{namespace("shop", "a", "1"), namespace("lab", "b", "2"),
				namespace("bare", "", "")},
			LiveNamespaces: []corev1.Namespace{namespace("live", "a", "1")},
			Equivalents:    equivalents(),
			Answers:        answers(t),
			Authorizer:     authorizer(t),
			InTree:         inTree(t),
		},
	}
	configurations(t, &s.Environment, r)
	if rarely(t, "excluded", 50) {
		s.Excluded = append(s.Excluded, r.groupResource())
	}
	for range 1 + oneOf(t, "more requests", []int{0, 0, 0, 1}) {
		s.Steps = append(s.Steps, scenario.Step{Request: request(t, r)})
	}
	return s
}

// delay makes one webhook let the request's deadline pass. It is a mutating
// one, or the only validating one: with several, chance would determine which
// reviews arrive before the deadline.
func delay(t *rapid.T, w *scenario.Environment) {
	var mutating, validating []string
	for _, c := range w.Mutating {
		for i := range c.Webhooks {
			mutating = append(mutating, pathOf(&c.Webhooks[i].ClientConfig))
		}
	}
	for _, c := range w.Validating {
		for i := range c.Webhooks {
			validating = append(validating, pathOf(&c.Webhooks[i].ClientConfig))
		}
	}
	path := oneOf(t, "late path", append(mutating, mutatingPaths[0]))
	if len(validating) == 1 && boolean(t, "late validation") {
		path = validating[0]
	}
	late := scenario.Answer{Late: true}
	if boolean(t, "late for some") {
		late.When = &scenario.When{Path: "/metadata/labels/" + oneOf(t, "late for", labelKeys)}
	}
	w.Answers[path] = append([]scenario.Answer{late}, w.Answers[path]...)
}

// pathOf is the path of an address, empty if there is none.
func pathOf(c *registrationv1.WebhookClientConfig) string {
	switch {
	case c.Service != nil:
		return *c.Service.Path
	case c.URL != nil:
		return (*c.URL)[strings.LastIndexByte(*c.URL, '/'):]
	}
	return ""
}

func namespace(name, key, value string) corev1.Namespace {
	n := corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if key != "" {
		n.Labels = map[string]string{key: value}
	}
	return n
}

func authorizer(t *rapid.T) *scenario.Authorizer {
	if rarely(t, "no authorizer", 5) {
		return nil
	}
	return &scenario.Authorizer{
		Allowed: oneOf(t, "allowed", [][]string{{"get pods"}, nil, {"*"}}),
		Failing: oneOf(t, "failing", [][]string{nil, nil, {"list pods"}}),
	}
}

// inTree draws the host's own mutating plugins, which most hosts do not have.
func inTree(t *rapid.T) []scenario.InTree {
	if !rarely(t, "in-tree plugin", 3) {
		return nil
	}
	return []scenario.InTree{{
		After: boolean(t, "after the webhooks"),
		SetLabels: map[string]string{oneOf(t, "its label", labelKeys): oneOf(t,
			"its value", labelValues)},
		IfLabel: oneOf(t, "if label", []string{"", "b", "c"}),
	}}
}
