package explain

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// calledWebhook returns a webhook that was called; its reinvocationPolicy is
// IfNeeded if again.
func calledWebhook(name string, again bool, paths ...string) Webhook {
	w := Webhook{Configuration: "c", Name: name, UID: name, Called: true, Stage: stageMatched, Call: &Call{Mutated: len(paths) > 0}}
	if again {
		w.Spec.ReinvocationPolicy = string(registrationv1.IfNeededReinvocationPolicy)
	}
	for _, path := range paths {
		w.Call.Patch = append(w.Call.Patch, Operation{Op: "add", Path: path})
	}
	return w
}

// causeRow has the webhooks of two mutating rounds.
type causeRow struct {
	row
	first, second []Webhook
	policies      []Policy
	want          string
}

func TestCause(t *testing.T) {
	t.Parallel()
	elsewhere := calledWebhook("a", true, "/x")
	elsewhere.Configuration = "d"
	tested := calledWebhook("b", false, "/spec/x")
	tested.Call.Patch = append([]Operation{{Op: "test", Path: "/spec/y"}}, tested.Call.Patch...)
	compared := calledWebhook("b", false, "/spec")
	compared.Call.Changes = []Change{{Path: "spec.x"}}
	testtable.Run(t, []causeRow{{
		row:   row{"one change", "the usual case"},
		first: []Webhook{calledWebhook("a", true), calledWebhook("b", false, "/metadata/labels/b")}, second: []Webhook{calledWebhook("a", true)},
		want: "reinvocation: b changed metadata.labels.b after a (reinvocationPolicy IfNeeded) had been called",
	}, {
		row:   row{"several are due", "S-166: a change makes all webhooks called before it due"},
		first: []Webhook{calledWebhook("a", true), calledWebhook("n", false), calledWebhook("b", true), calledWebhook("c", false, "/spec/x", "/spec/y")}, second: []Webhook{calledWebhook("a", true), calledWebhook("b", true)},
		want: "reinvocation: c changed spec.x, spec.y after a and b (reinvocationPolicy IfNeeded) had been called",
	}, {
		row:   row{"several changes", "S-166: each change makes a webhook due"},
		first: []Webhook{calledWebhook("a", true), calledWebhook("b", true, "/spec/x"), calledWebhook("c", false, "/spec/y")}, second: []Webhook{calledWebhook("a", true), calledWebhook("b", true)},
		want: "reinvocation: b changed spec.x after a (reinvocationPolicy IfNeeded) had been called; " +
			"c changed spec.y after b (reinvocationPolicy IfNeeded) had been called",
	}, {
		row:   row{"no webhook is due", "S-166: every change starts a round"},
		first: []Webhook{calledWebhook("a", false), calledWebhook("b", true, "/spec/x")},
		want:  "reinvocation: b changed spec.x, before which no webhook with reinvocationPolicy IfNeeded had been called",
	}, {
		row:  row{"no webhook", "S-168: in-tree plugins may ask for a round"},
		want: "reinvocation: no webhook changed the object, so another mutating plugin requested it",
	}, {
		row: row{"a policy", "one that evaluates a mutation costs a round, and one that is excluded does not"},
		policies: []Policy{
			{PolicyMatch: PolicyMatch{Name: "p"}, Bindings: []PolicyBinding{{Evaluations: []PolicyEvaluation{{Excluded: "no"}}}}},
			{PolicyMatch: PolicyMatch{Name: "q"}, Bindings: []PolicyBinding{{Evaluations: []PolicyEvaluation{{Mutations: make([]PolicyMutation, 1)}}}}},
		},
		want: "reinvocation: policy q was evaluated, which always costs a second round",
	}, {
		row:   row{"another plugin between the rounds", "S-163: its change makes all webhooks due"},
		first: []Webhook{calledWebhook("a", true, "/spec/x"), calledWebhook("b", true)}, second: []Webhook{calledWebhook("a", true), calledWebhook("b", true)},
		want: "reinvocation: a changed spec.x, before which no webhook with reinvocationPolicy IfNeeded had been called; " +
			"another mutating plugin changed the object after a and b had been called",
	}, {
		row:   row{"due by the second round", "S-167: changes in round 1 do not cause round 1"},
		first: []Webhook{calledWebhook("a", true), calledWebhook("b", true, "/spec/x"), calledWebhook("c", true)}, second: []Webhook{calledWebhook("a", true, "/spec/y"), calledWebhook("c", true)},
		want: "reinvocation: b changed spec.x after a (reinvocationPolicy IfNeeded) had been called",
	}, {
		row:   row{"equal names", "the configuration distinguishes them"},
		first: []Webhook{calledWebhook("a", true), elsewhere}, second: []Webhook{calledWebhook("a", true)},
		want: "reinvocation: d/a changed x after c/a (reinvocationPolicy IfNeeded) had been called",
	}, {
		row:   row{"test operation", "test operations change nothing"},
		first: []Webhook{calledWebhook("a", true), tested}, second: []Webhook{calledWebhook("a", true)},
		want: "reinvocation: b changed spec.x after a (reinvocationPolicy IfNeeded) had been called",
	}, {
		row:   row{"compared objects", "changes are more precise than the patch"},
		first: []Webhook{calledWebhook("a", true), compared}, second: []Webhook{calledWebhook("a", true)},
		want: "reinvocation: b changed spec.x after a (reinvocationPolicy IfNeeded) had been called",
	}, {
		row:   row{"whole object", "a patch may replace the object"},
		first: []Webhook{calledWebhook("a", true), calledWebhook("b", false, "")}, second: []Webhook{calledWebhook("a", true)},
		want: "reinvocation: b changed the whole object after a (reinvocationPolicy IfNeeded) had been called",
	}}, func(t *testing.T, tc causeRow) {
		e := &Explanation{Rounds: []Round{
			{Phase: mutating, Policies: tc.policies, Webhooks: tc.first}, {Phase: mutating, Round: 1, Webhooks: tc.second}, {Phase: validating},
		}}
		for i, want := range []string{"", tc.want, ""} {
			if got := newAnalyzer(e).cause(&e.Rounds[i]); got != want {
				t.Errorf("round %d:\ngot  %s\nwant %s", i, got, want)
			}
		}
	})
}
