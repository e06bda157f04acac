package matching_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
)

// naive decides by listing every combination that a rule matches, one per line,
// and comparing the request with each. It implements scopes and wildcards only
// by the sentences of S-111…S-113.
func naive(r registrationv1.RuleWithOperations, a testRequest, gvr schema.GroupVersionResource) bool {
	requestScopes := []registrationv1.ScopeType{registrationv1.AllScopes, registrationv1.NamespacedScope}
	if a.namespace == "" || gvr.String() == "/v1, Resource=namespaces" {
		requestScopes[1] = registrationv1.ClusterScope
	}
	scopeFits := r.Scope == nil
	for _, s := range requestScopes {
		scopeFits = scopeFits || *r.Scope == s
	}
	if !scopeFits {
		return false
	}
	said := []string{string(a.operation), gvr.Group, gvr.Version, gvr.Resource, a.subresource}
	for _, operation := range r.Operations {
		for _, group := range r.APIGroups {
			for _, version := range r.APIVersions {
				for _, entry := range r.Resources {
					parts := append(strings.SplitN(entry, "/", 2), "")
					if fits([]string{string(operation), group, version, parts[0], parts[1]}, said) {
						return true
					}
				}
			}
		}
	}
	return false
}

func fits(wanted, said []string) bool {
	for i := range wanted {
		if wanted[i] != said[i] && wanted[i] != "*" {
			return false
		}
	}
	return true
}

// naiveMatch returns the index of the deciding rule and the resource that it
// matches.
func naiveMatch(w *admission.Webhook, a testRequest, others []schema.GroupVersionResource) (int, schema.GroupVersionResource) {
	for i, r := range w.Rules {
		if naive(r, a, a.resource) {
			return i, a.resource
		}
	}
	if w.MatchPolicy == nil || *w.MatchPolicy != registrationv1.Equivalent {
		return -1, schema.GroupVersionResource{}
	}
	for i, r := range w.Rules {
		for _, gvr := range others {
			if gvr != a.resource && naive(r, a, gvr) {
				return i, gvr
			}
		}
	}
	return -1, schema.GroupVersionResource{}
}

// dice makes rules and requests of small alphabets, so that matches are common.
type dice struct{ *rand.Rand }

func (d dice) one(words ...string) string { return words[d.Intn(len(words))] }

// some picks up to three words, seldom none: an empty list matches nothing.
func (d dice) some(words ...string) []string {
	picked := make([]string, min(d.Intn(16), 3))
	for i := range picked {
		picked[i] = d.one(words...)
	}
	return picked
}

func (d dice) rule() registrationv1.RuleWithOperations {
	r := registrationv1.RuleWithOperations{Rule: registrationv1.Rule{
		APIGroups:   d.some("*", "", "apps"),
		APIVersions: d.some("*", "v1", "v2"),
		Resources:   d.some("*", "*/*", "pods", "pods/", "pods/*", "pods/status", "namespaces", "namespaces/*", "*/status", "/status", "pods/status/x", "*/"),
	}}
	for _, operation := range d.some("*", "CREATE", "UPDATE", "DELETE") {
		r.Operations = append(r.Operations, registrationv1.OperationType(operation))
	}
	if scope := registrationv1.ScopeType(d.one("absent", "*", "Namespaced", "Cluster", "Bogus", "*")); scope != "absent" {
		r.Scope = &scope
	}
	return r
}

func (d dice) resource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: d.one("", "", "apps"), Version: d.one("v1", "v1", "v2"), Resource: d.one("pods", "namespaces", "nodes")}
}

func (d dice) ask() testRequest {
	return testRequest{
		operation:   apiadmission.Operation(d.one("CREATE", "UPDATE", "DELETE", "CONNECT")),
		kind:        podKind,
		resource:    d.resource(),
		namespace:   d.one("", "ns"),
		subresource: d.one("", "", "status", "status/x"),
		object:      pod(nil),
	}
}

func (d dice) webhook() *admission.Webhook {
	w := asking(rules(d.rule(), d.rule(), d.rule())) // enough for the order to matter
	w.Rules = w.Rules[:d.Intn(4)]
	if d.Intn(2) == 0 {
		equivalent(w)
	}
	return w
}

// candidates are the equivalents of every resource; every kind is known.
type candidates []schema.GroupVersionResource

func (c candidates) EquivalentResourcesFor(schema.GroupVersionResource, string) []schema.GroupVersionResource {
	return c
}

func (c candidates) KindFor(gvr schema.GroupVersionResource, _ string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: gvr.Group, Version: gvr.Version, Kind: "K" + gvr.Resource}
}

// TestRandomRules compares the rules with their naive reading.
func TestRandomRules(t *testing.T) {
	t.Parallel()
	const seeds, perSeed = 8, 5_000
	for seed := range int64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			d := dice{rand.New(rand.NewSource(seed))}
			counts := map[bool]int{}
			for i := range perSeed {
				counts[compareRules(t, d, i)]++
			}
			// A generator that hardly ever matches would prove nothing.
			if counts[true] < perSeed/20 || counts[false] < perSeed/20 {
				t.Errorf("%d matches and %d misses, want many of both", counts[true], counts[false])
			}
		})
	}
}

func compareRules(t *testing.T, d dice, i int) bool {
	t.Helper()
	a, hook := d.ask(), d.webhook()
	others := candidates{d.resource(), d.resource(), d.resource()}
	r := request(a, func(in *input) { in.Objects = objects{mapper: others} })
	w := compile(hook)

	index, gvr := naiveMatch(hook, a, others)
	matched := index >= 0
	m := match(t.Context(), w, r)
	if m.Matched() != matched || m.Rule != index || m.Target.Resource != gvr || indexed(w, r) != matched {
		t.Fatalf("case %d: %+v\nasked %+v, equivalents %v\nrule %d for %v, indexed = %v, want rule %d for %v",
			i, hook.Rules, a, others, m.Rule, m.Target.Resource, indexed(w, r), index, gvr)
	}
	return matched
}
