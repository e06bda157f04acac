package matching_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// seenCase is a request and the values that matching reads.
type seenCase struct {
	row
	webhook *admission.Webhook
	ask     testRequest
	want    *admission.Seen
}

func TestSeen(t *testing.T) {
	t.Parallel()
	all := []admission.RulePart{admission.RuleMatched}
	testtable.Run(t, []seenCase{{
		row:     row{"nothing to look up", "an empty selector compares nothing"},
		webhook: asking(), ask: creating(), want: &admission.Seen{RuleMisses: all},
	}, {
		row:     row{"namespace's labels", "what the namespaceSelector was compared with"},
		webhook: asking(byNamespace), ask: creating(), want: &admission.Seen{NamespaceLabels: web, RuleMisses: all},
	}, {
		row:     row{"stopped by the namespace", "later stages have seen nothing"},
		webhook: asking(byNamespace, byObject, func(w *admission.Webhook) { w.NamespaceSelector.MatchLabels["app"] = "x" }),
		ask:     creating(), want: &admission.Seen{NamespaceLabels: web},
	}, {
		row:     row{"object's labels", "both objects, whichever was selected"},
		webhook: asking(byObject), ask: changing(pod(other), pod(web)),
		want: &admission.Seen{ObjectLabels: web, OldObjectLabels: other, RuleMisses: all},
	}, {
		row:     row{"stopped by the object", "the labels that were not selected, nil for no object"},
		webhook: asking(byObject), ask: changing(nil, pod(other)), want: &admission.Seen{ObjectLabels: other},
	}, {
		row:     row{"rules", "which part of each rule missed, up to the one that matched"},
		webhook: asking(rules(rule("", "v2", "pods"), rule("", "v1", "nodes"), rule("", "v1", "pods"), rule("*", "*", "*"))), ask: creating(),
		want: &admission.Seen{RuleMisses: []admission.RulePart{admission.RuleVersions, admission.RuleResources, admission.RuleMatched}},
	}, {
		row:     row{"equivalents", "what else was tried, in the mapper's order"},
		webhook: asking(equivalent, rules(rule("apps", "v1beta1", "deployments"))), ask: deploying(""),
		want: &admission.Seen{
			RuleMisses:  []admission.RulePart{admission.RuleVersions},
			Equivalents: []schema.GroupVersionResource{extensions, beta1, unknown},
		},
	}, {
		row:     row{"equivalents are not needed", "nothing else is tried when the request's own resource matches"},
		webhook: asking(equivalent), ask: deploying(""), want: &admission.Seen{RuleMisses: all},
	}}, func(t *testing.T, tc seenCase) {
		m := match(t.Context(), compile(tc.webhook), request(tc.ask, found(web), asked(&mapper{})))
		if diff := cmp.Diff(tc.want, m.Seen); diff != "" {
			t.Errorf("Seen (-want +got):\n%s", diff)
		}
	})
}

// Without Record nothing is kept but the decision.
func TestNoRecord(t *testing.T) {
	t.Parallel()
	m := match(t.Context(), compile(asking(byNamespace, byObject, when("true", divides, "false"))),
		request(creating(func(a *testRequest) { a.object = pod(web) }), found(web), func(in *input) { in.Record = false }))
	if m.Seen != nil || m.Conditions.Results != nil {
		t.Errorf("Seen = %v, Results = %v, want neither", m.Seen, m.Conditions.Results)
	}
	if got, want := conditionResultOf(t, &m), excluding("c2", 1); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The rest of a Match is what the caller has to fill in, and the operation.
func TestMatchRecord(t *testing.T) {
	t.Parallel()
	w := asking(rules())
	m := match(t.Context(), compile(w), request(creating()))
	want := admission.Match{
		Webhook: w, Operation: admissionv1.Create, Stage: admission.StageRules, Rule: -1, Seen: &admission.Seen{},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("Match (-want +got):\n%s", diff)
	}
}
