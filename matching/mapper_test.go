package matching_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

func TestUnknownEquivalentKind(t *testing.T) {
	t.Parallel()
	const text = "Internal error occurred: unable to convert to acme.example.com/v1, Resource=deployments: unknown kind"
	runStages(t, []stageCase{{
		row:     row{"unknown kind", "S-121: an equivalent without a kind ends the request"},
		webhook: asking(equivalent, rules(rule("acme.example.com", "v1", "deployments"))),
		ask:     deploying(""), input: asked(&mapper{}),
		want: verdict{admission.StageRules, 500, text},
	}, {
		row:     row{"another equivalent first", "S-121: the kind of a candidate that is not chosen does not matter"},
		webhook: asking(equivalent, rules(rule("*", "v1beta1", "*"), rule("acme.example.com", "v1", "*"))),
		ask:     deploying(""), input: asked(&mapper{}),
		want: passed,
	}, {
		row: row{"before held errors", "S-080: the error of the rules comes before those of the selectors"},
		webhook: asking(equivalent, rules(rule("acme.example.com", "v1", "*")), func(w *admission.Webhook) {
			w.NamespaceSelector, w.ObjectSelector = broken("Bogus"), broken("Bogus")
		}),
		ask: deploying(""), input: asked(&mapper{}),
		want: verdict{admission.StageRules, 500, text},
	}})
}

func TestMapperIsAskedOnce(t *testing.T) {
	t.Parallel()
	m := &mapper{}
	r := request(deploying(""), asked(m))
	for _, w := range matching.NewCompiler().Compile([]*admission.Webhook{
		asking(equivalent, rules(rule("apps", "v1", "*"))),
		asking(rules(rule("", "v1", "pods"))),
	}) {
		match(t.Context(), w, r)
	}
	if m.asked != 0 {
		t.Errorf("%d calls of the mapper, though no webhook has matchPolicy Equivalent", m.asked)
	}
	w := compile(asking(equivalent, rules(rule("extensions", "v1", "*"), rule("apps", "v1beta1", "*"))))
	for range 3 {
		indexed(w, r)
		match(t.Context(), w, r)
	}
	r.Update(deploying("").attributes())
	match(t.Context(), w, r)
	if m.asked != 1 {
		t.Errorf("asked %d times for equivalents, want once", m.asked)
	}
}

// The rules were compared with the request's own resource before, so the mapper
// is not called for its kind.
func TestOwnResourceIsNoCandidate(t *testing.T) {
	t.Parallel()
	m := &mapper{}
	match := match(t.Context(), compile(asking(equivalent, rules(rule("extensions", "*", "*")))), request(deploying(""), asked(m)))
	if diff := cmp.Diff([]schema.GroupVersionResource{extensions, beta1, unknown}, match.Seen.Equivalents); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]schema.GroupVersionResource{extensions}, m.kinds); diff != "" {
		t.Errorf("kinds asked for (-want +got):\n%s", diff)
	}
}

func TestResourceWithoutEquivalents(t *testing.T) {
	t.Parallel()
	m := match(t.Context(), compile(asking(equivalent, rules(rule("apps", "v1", "*")))), request(creating(), asked(&mapper{})))
	if m.Stage != admission.StageRules || m.Err != nil || len(m.Seen.Equivalents) != 0 {
		t.Errorf("Match = %v, %v, candidates %v, want a plain no", m.Stage, m.Err, m.Seen.Equivalents)
	}
}
