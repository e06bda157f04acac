package matching_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

var (
	beta1      = schema.GroupVersionResource{Group: "apps", Version: "v1beta1", Resource: "deployments"}
	extensions = schema.GroupVersionResource{Group: "extensions", Version: "v1beta1", Resource: "deployments"}

	deployment           = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	beta1Deployment      = schema.GroupVersionKind{Group: "apps", Version: "v1beta1", Kind: "Deployment"}
	extensionsDeployment = schema.GroupVersionKind{Group: "extensions", Version: "v1beta1", Kind: "Deployment"}
	scale                = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	extensionsScale      = schema.GroupVersionKind{Group: "extensions", Version: "v1beta1", Kind: "Scale"}
)

// mapper has deployments in three versions, in an unusual order, and counts its
// calls for them. The kind of one more resource is unknown.
type mapper struct {
	asked int
	kinds []schema.GroupVersionResource
}

var unknown = schema.GroupVersionResource{Group: "acme.example.com", Version: "v1", Resource: "deployments"}

func (m *mapper) EquivalentResourcesFor(gvr schema.GroupVersionResource, subresource string) []schema.GroupVersionResource {
	m.asked++
	if gvr.Resource != "deployments" {
		return nil
	}
	if subresource == "scale" {
		return []schema.GroupVersionResource{extensions, deployments}
	}
	return []schema.GroupVersionResource{extensions, beta1, deployments, unknown}
}

func (m *mapper) KindFor(gvr schema.GroupVersionResource, subresource string) schema.GroupVersionKind {
	m.kinds = append(m.kinds, gvr)
	kinds := map[schema.GroupVersionResource]schema.GroupVersionKind{
		deployments: deployment, beta1: beta1Deployment, extensions: extensionsDeployment,
	}
	if subresource == "scale" {
		kinds = map[schema.GroupVersionResource]schema.GroupVersionKind{deployments: scale, extensions: extensionsScale}
	}
	return kinds[gvr]
}

var _ runtime.EquivalentResourceMapper = (*mapper)(nil)

func asked(m *mapper) func(*input) {
	return func(in *input) { in.Objects = objects{mapper: m} }
}

// deploying is the creation of a deployment, or of what is below one.
func deploying(subresource string) testRequest {
	return creating(at(deployments), func(a *testRequest) {
		a.kind, a.subresource = deployment, subresource
		if subresource == "scale" {
			a.kind = scale
		}
	})
}

// targetCase is a request and the target in the review.
type targetCase struct {
	row
	webhook *admission.Webhook
	ask     testRequest
	rule    int
	target  admission.Target
}

func TestTarget(t *testing.T) {
	t.Parallel()
	own := admission.Target{Resource: deployments, Kind: deployment}
	none := admission.Target{}
	testtable.Run(t, []targetCase{{
		row:     row{"own resource", "S-084: the request's own resource is tried first"},
		webhook: asking(equivalent, rules(rule("apps", "v1", "deployments"))),
		ask:     deploying(""), rule: 0, target: own,
	}, {
		row:     row{"own resource by a later rule", "S-084: all rules are tried on it before an equivalent is"},
		webhook: asking(equivalent, rules(rule("extensions", "*", "*"), rule("apps", "v1", "*"))),
		ask:     deploying(""), rule: 1, target: own,
	}, {
		row:     row{"first of several rules", "S-084: the first rule that matches wins"},
		webhook: asking(rules(rule("", "v1", "pods"), rule("apps", "*", "*"), rule("*", "*", "*"))),
		ask:     deploying(""), rule: 1, target: own,
	}, {
		row:     row{"equivalent", "S-120: a rule for another version matches too"},
		webhook: asking(equivalent, rules(rule("apps", "v1beta1", "deployments"))),
		ask:     deploying(""), rule: 0, target: admission.Target{Resource: beta1, Kind: beta1Deployment},
	}, {
		row:     row{"mapper's order", "S-120: the first candidate that the rule matches wins"},
		webhook: asking(equivalent, rules(rule("*", "v1beta1", "deployments"))),
		ask:     deploying(""), rule: 0, target: admission.Target{Resource: extensions, Kind: extensionsDeployment},
	}, {
		row:     row{"earlier rule wins", "S-120: rules come before candidates"},
		webhook: asking(equivalent, rules(rule("apps", "v1beta1", "deployments"), rule("extensions", "v1beta1", "deployments"))),
		ask:     deploying(""), rule: 0, target: admission.Target{Resource: beta1, Kind: beta1Deployment},
	}, {
		row:     row{"subresource", "S-123: the kind of a subresource differs by version"},
		webhook: asking(equivalent, rules(rule("extensions", "v1beta1", "deployments/scale"))),
		ask:     deploying("scale"), rule: 0, target: admission.Target{Resource: extensions, Subresource: "scale", Kind: extensionsScale},
	}, {
		row:     row{"own subresource", "S-084: the subresource and its kind are the request's"},
		webhook: asking(rules(rule("apps", "v1", "deployments/scale"))),
		ask:     deploying("scale"), rule: 0, target: admission.Target{Resource: deployments, Subresource: "scale", Kind: scale},
	}, {
		row:     row{"candidate of another subresource", "S-122: candidates exist only where they are known for that subresource"},
		webhook: asking(equivalent, rules(rule("apps", "v1beta1", "*/*"))),
		ask:     deploying("scale"), rule: -1, target: none,
	}, {
		row:     row{"subresource is not replaced", "S-114: only the resource is"},
		webhook: asking(equivalent, rules(rule("extensions", "v1beta1", "deployments"))),
		ask:     deploying("scale"), rule: -1, target: none,
	}, {
		row:     row{"operation is not replaced", "S-114: only the resource is"},
		webhook: asking(equivalent, rules(operating(rule("extensions", "v1beta1", "deployments"), registrationv1.Delete))),
		ask:     deploying(""), rule: -1, target: none,
	}, {
		row:     row{"absent policy", "S-083: an absent matchPolicy is Exact"},
		webhook: asking(rules(rule("extensions", "v1beta1", "deployments"))),
		ask:     deploying(""), rule: -1, target: none,
	}, {
		row:     row{"Exact", "S-083: only Equivalent tries others"},
		webhook: asking(policy(registrationv1.Exact), rules(rule("extensions", "v1beta1", "deployments"))),
		ask:     deploying(""), rule: -1, target: none,
	}, {
		row:     row{"unknown policy", "S-083: only Equivalent tries others"},
		webhook: asking(policy("Similar"), rules(rule("extensions", "v1beta1", "deployments"))),
		ask:     deploying(""), rule: -1, target: none,
	}, {
		row:     row{"no rules", "a webhook without rules is never called"},
		webhook: asking(equivalent, rules()),
		ask:     deploying(""), rule: -1, target: none,
	}}, func(t *testing.T, tc targetCase) {
		w := compile(tc.webhook)
		r := request(tc.ask, asked(&mapper{}))
		m := match(t.Context(), w, r)
		if diff := cmp.Diff(tc.target, m.Target); diff != "" {
			t.Errorf("target (-want +got):\n%s", diff)
		}
		if m.Rule != tc.rule || m.Err != nil {
			t.Errorf("Rule = %d, Err = %v, want %d without an error", m.Rule, m.Err, tc.rule)
		}
		matches := tc.rule >= 0
		if m.Matched() != matches || indexed(w, r) != matches {
			t.Errorf("Matched() = %v, indexed = %v, want %v", m.Matched(), indexed(w, r), matches)
		}
	})
}

func policy(p registrationv1.MatchPolicyType) func(*admission.Webhook) {
	return func(w *admission.Webhook) { w.MatchPolicy = &p }
}
