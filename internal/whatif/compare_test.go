package whatif_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/internal/whatif"
)

// called returns an allowed result with calls of webhooks in a phase.
func called(phase string, webhooks ...string) *replay.Result {
	r := &replay.Result{Allowed: true}
	for _, name := range webhooks {
		r.Calls = append(r.Calls, replay.Call{
			Phase: phase, Configuration: "shop", Webhook: name, Outcome: "allowed", Code: 200,
		})
	}
	return r
}

// patched returns the result of a call with a patch.
func patched(patch string) *replay.Result {
	r := called("mutating", "a")
	r.Calls[0].Patch = json.RawMessage(patch)
	return r
}

// denied returns a denied result.
func denied(code int32, message string) *replay.Result {
	return &replay.Result{Status: &metav1.Status{Code: code, Message: message}}
}

// annotated returns an allowed result with an audit annotation.
func annotated(key, value string) *replay.Result {
	return &replay.Result{Allowed: true, AuditAnnotations: map[string]string{key: value}}
}

// evaluated returns an allowed result with evaluations of policies.
func evaluated(policies ...string) *replay.Result {
	r := &replay.Result{Allowed: true}
	for _, name := range policies {
		r.Policies = append(r.Policies, replay.Policy{
			Phase: "mutating", Policy: name, Binding: "all", Outcome: "mutated",
		})
	}
	return r
}

// comparison are two results, and what differs.
type comparison struct {
	row
	before, after *replay.Result
	want          []whatif.Item
}

const patchAnnotation = "patch.webhook.admission.k8s.io/round_0_index_"

// TestCompare: a difference has its field and values, and what is equal has none.
func TestCompare(t *testing.T) {
	t.Parallel()
	unknown := &replay.Result{Undecided: true}
	testtable.Run(t, []comparison{
		{row{"order", "mutating webhooks are called one after the other"},
			called("mutating", "a", "b"), called("mutating", "b", "a"),
			[]whatif.Item{{Field: whatif.Order, Phase: "mutating", Before: "shop/a, shop/b", After: "shop/b, shop/a"}}},
		{row{"order of policies", "they are evaluated one after the other, too"},
			evaluated("a", "b"), evaluated("b", "a"),
			[]whatif.Item{{Field: whatif.Order, Phase: "mutating", Before: "a/all, b/all", After: "b/all, a/all"}}},
		{row{"order at the same time", "validating webhooks have none"},
			called("validating", "a", "b"), called("validating", "b", "a"), nil},
		{row{"order of the others", "a webhook that is called once more changes no order"},
			called("mutating", "a", "b"), called("mutating", "a", "c", "b"),
			[]whatif.Item{{Field: whatif.Call, Phase: "mutating", Subject: "shop/c", After: "allowed"}}},
		{row{"denied or not known", "a webhook that was not reached may allow it"},
			denied(403, "no"), unknown,
			[]whatif.Item{{Field: whatif.Verdict, Before: "denied (403): no", After: "not known"}}},
		{row{"not known or allowed", "it may have denied it"},
			unknown, called("validating"),
			[]whatif.Item{{Field: whatif.Verdict, Before: "not known", After: "allowed"}}},
		{row{"code", "clients try again after some codes"}, denied(403, "no"), denied(429, "no"),
			[]whatif.Item{{Field: whatif.Code, Before: "403", After: "429"}}},
		{row{"message", "users read it"}, denied(403, "no"), denied(403, "never"),
			[]whatif.Item{{Field: whatif.Message, Before: "no", After: "never"}}},
		{row{"patch", "the next webhook sees it"},
			patched(`[{"op": "remove", "path": "/a"}]`), patched(`[{"op": "remove", "path": "/b"}]`),
			[]whatif.Item{{Field: whatif.Patch, Phase: "mutating", Subject: "shop/a"}}},
		{row{"patch as text", "spaces have no effect"},
			patched(`[{"op": "remove", "path": "/a"}]`), patched(`[{"path":"/a","op":"remove"}]`), nil},
		{row{"number of a call", "another webhook before it changes it"},
			annotated(patchAnnotation+"0", `{"configuration": "shop", "webhook": "a"}`),
			annotated(patchAnnotation+"7", `{"configuration": "shop", "webhook": "a"}`), nil},
		{row{"webhook of an annotation", "it is another one"},
			annotated(patchAnnotation+"0", `{"configuration": "shop", "webhook": "a"}`),
			annotated(patchAnnotation+"0", `{"configuration": "shop", "webhook": "b"}`),
			[]whatif.Item{
				{Field: whatif.Annotation, Subject: "patch.webhook.admission.k8s.io/round_0 shop/a",
					Before: `{"configuration": "shop", "webhook": "a"}`},
				{Field: whatif.Annotation, Subject: "patch.webhook.admission.k8s.io/round_0 shop/b",
					After: `{"configuration": "shop", "webhook": "b"}`},
			}},
		{row{"object of a denial", "it is lost"},
			&replay.Result{Object: json.RawMessage(`{"a": 1}`)}, &replay.Result{Object: json.RawMessage(`{"a": 2}`)}, nil},
		{row{"object", "it is stored"},
			&replay.Result{Allowed: true, Object: json.RawMessage(`{"a": 1}`)},
			&replay.Result{Allowed: true, Object: json.RawMessage(`{"a": 2}`)},
			[]whatif.Item{{Field: whatif.Object, Subject: "a", Before: "1", After: "2"}}},
	}, func(t *testing.T, tc comparison) {
		got := whatif.Compare(tc.before, tc.after)
		if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreUnexported(whatif.Item{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}
