package explain

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// reasonsOnlyRow is a request for an object of a kind.
type reasonsOnlyRow struct {
	row
	kind    string
	options []Option
}

// TestReasonsOnly compares with the explanation that omits nothing.
func TestReasonsOnly(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []reasonsOnlyRow{
		{row: row{"reasons", "reasons are the same"}, kind: "ConfigMap"},
		{row: row{"Secret", "values are redacted in the same texts"}, kind: "Secret"},
		{row: row{"shown Secret", "nothing is redacted"}, kind: "Secret", options: []Option{ShowSecrets()}},
		{row: row{"redacted", "values are redacted in the same texts"}, kind: "ConfigMap", options: []Option{Redact(Path{}.Key("data"))}},
	}, func(t *testing.T, tc reasonsOnlyRow) {
		all, got := explainedObject(tc.kind, tc.options...), explainedObject(tc.kind, append(tc.options, ReasonsOnly())...)
		w := &all.Rounds[0].Webhooks[0]
		if len(all.Fields) == 0 || len(w.Call.Changes) == 0 || all.Rounds[0].Webhooks[1].Reason == "" {
			t.Fatalf("the whole has %d fields, changes %v and rounds %+v", len(all.Fields), w.Call.Changes, all.Rounds)
		}
		all.Fields, all.Removed, all.Fights, w.Call.Changes = []Field{}, []Field{}, []Fight{}, nil
		if diff := cmp.Diff(all, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// explainedObject returns a request that one webhook changes and that no rule
// of another webhook matches.
func explainedObject(kind string, options ...Option) *Explanation {
	of := metav1.GroupVersionKind{Version: "v1", Kind: kind}
	sent := json.RawMessage(`{"apiVersion":"v1","kind":"` + kind + `","metadata":{"name":"a"},"data":{"a":"MTIzNDU2Nzg="}}`)
	final := json.RawMessage(`{"apiVersion":"v1","kind":"` + kind + `","metadata":{"name":"a","labels":{"b":"c"}},"data":{"a":"MTIzNDU2Nzg="}}`)
	changer := calledWebhook("changer", false, "/metadata/labels")
	changer.Call.Patch[0].Value = json.RawMessage(`{"b":"c"}`)
	e := &Explanation{
		Request: Request{Operation: "CREATE", Kind: of, Object: sent}, Object: final,
		Rounds: []Round{{Phase: mutating, Webhooks: []Webhook{changer, {Configuration: "c", Name: "idle", UID: "idle", Stage: stageRules}}}},
	}
	Complete(e, []State{
		{Kind: schemaKind(e), Object: sent, By: Writer{By: ByUser}},
		{Kind: schemaKind(e), Object: final, By: Writer{By: ByWebhook, Webhook: "changer", Configuration: "c"}},
	}, options...)
	return e
}
