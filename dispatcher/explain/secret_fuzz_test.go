package explain_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/report"
)

// sentinel is the secret. No other part of an explanation contains it.
const sentinel = "Zq7hunter2Wx"

// FuzzSecrets puts a value into the parts of a Secret that hold data, and into
// everything that a webhook returns, plain, quoted, by line and in base64. The
// JSON, the tree and the page of the explanation must not contain it; nor
// redacted exchanges, nor texts from a SecretFilter. With ShowSecrets they
// must.
//
// Each byte of choices selects the content of one part.
func FuzzSecrets(f *testing.F) {
	f.Add("", "", []byte{})
	f.Add("", "\n", []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add("-----BEGIN KEY-----\n", "\n-----END KEY-----\n", []byte{1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5})
	f.Add("\"<", "\\\t\x00\u2028", bytes.Repeat([]byte{3, 4, 2}, 10))
	f.Add("{\"password\":\"", "\"}", bytes.Repeat([]byte{2, 6}, 20))
	f.Add(" ", " é ", bytes.Repeat([]byte{6}, 40))
	f.Add("a.b/", "~1*['", bytes.Repeat([]byte{7, 1, 2}, 12))
	f.Add("it's a/", "~\\", bytes.Repeat([]byte{1}, 60))
	f.Add("", "", bytes.Repeat([]byte{4}, 60))
	f.Add("a.b/", "~1*['", bytes.Repeat([]byte{0, 0, 0, 4, 0, 0, 4}, 9))
	f.Add("it's a/", "~\\", bytes.Repeat([]byte{3, 0, 4, 2, 1}, 12))
	f.Fuzz(func(t *testing.T, before, after string, choices []byte) {
		before, after = strings.ToValidUTF8(before, "?"), strings.ToValidUTF8(after, "?")
		g := &secretRequest{value: before + sentinel + after, choices: choices}
		e, states := g.explanation()
		explain.Complete(e, states, explain.WithBodies())
		for _, out := range g.printed(t, e) {
			g.checkHidden(t, out)
		}
		g.checkExchanges(t)
		g.checkFilter(t)
		shown, states := (&secretRequest{value: g.value, choices: choices}).explanation()
		explain.Complete(shown, states, explain.WithBodies(), explain.ShowSecrets())
		if len(shown.Redacted) > 0 || !bytes.Contains(asJSON(t, shown), []byte(coded(g.value))) {
			t.Errorf("%q is redacted in spite of ShowSecrets", g.value)
		}
	})
}

// secretRequest builds requests for a Secret from the choices.
type secretRequest struct {
	value   string
	choices []byte
}

// choose returns a number below n.
func (g *secretRequest) choose(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0]) % n
	g.choices = g.choices[1:]
	return c
}

func coded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// text returns a text, mostly with the value in one of its forms.
func (g *secretRequest) text() string {
	forms := []func() string{
		func() string { return "nothing" },
		func() string { return g.value },
		func() string { return coded(g.value) },
		func() string { return strconv.Quote(g.value) },
		func() string { return string(mustJSON(g.value)) },
		func() string { return strings.TrimSpace(g.value) },
		func() string { return strconv.Quote(string(mustJSON(g.value))) },
		func() string {
			return string(mustJSON(map[string]string{"password": g.value, "coded": coded(g.value)}))
		},
		func() string { return coded(strings.TrimSpace(g.value)) },
	}
	text := forms[g.choose(len(forms))]()
	return []string{"it is ", "", "key: \"", "<b>"}[g.choose(4)] + text + []string{"", " is weak", "\"", "</b>\n"}[g.choose(4)]
}

// secret returns a Secret with the value in one or more of its parts.
func (g *secretRequest) secret() json.RawMessage {
	metadata := map[string]any{"name": "keys", "namespace": "default"}
	object := map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "Opaque"}
	object["data"] = map[string]any{"password": coded(g.value), "empty": nil}
	switch g.choose(5) {
	case 4:
		object["data"] = map[string]any{"password": coded(g.value), g.value: coded("key")}
	case 1:
		object["stringData"] = map[string]any{"password": g.value}
	case 2:
		object["data"] = map[string]any{"list": []any{g.value, map[string]any{"deep": coded(g.value)}}}
	case 3:
		object["data"], object["stringData"] = g.value, coded(g.value)
	}
	if g.choose(2) == 1 {
		metadata["annotations"] = map[string]any{
			"kubectl.kubernetes.io/last-applied-configuration": string(mustJSON(map[string]any{"data": map[string]string{"password": coded(g.value)}, "stringData": map[string]string{"a": g.value}})),
			"note": g.text(),
		}
	}
	if g.choose(2) == 1 {
		metadata["labels"] = map[string]any{"copy": g.text(), g.value: "key"}
	}
	return mustJSON(object)
}

// patch returns a patch with the value in values and paths.
func (g *secretRequest) patch() []explain.Operation {
	operations := []explain.Operation{{Op: "add", Path: "/data/more", Value: mustJSON(coded(g.value))}}
	for range g.choose(4) {
		o := explain.Operation{Op: []string{"add", "replace", "test", "move", "copy", "remove", "nope"}[g.choose(7)]}
		key := strings.NewReplacer("~", "~0", "/", "~1").Replace(g.value)
		o.Path = []string{"", "/data", "/stringData/x", "/metadata/annotations/x", "/metadata/labels/" + key, "/" + g.value, "/~2", "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"}[g.choose(8)]
		o.From = []string{"", "/data/password", "/metadata/annotations/" + key}[g.choose(3)]
		o.Value = []json.RawMessage{nil, mustJSON(g.text()), g.secret(), mustJSON(map[string]any{"x": g.text()})}[g.choose(4)]
		operations = append(operations, o)
	}
	return operations
}

// response returns a webhook's response: a review, or another body.
func (g *secretRequest) response() json.RawMessage {
	answer := map[string]any{"allowed": true, "warnings": []string{g.text()}, "status": map[string]any{"message": g.text()}, "auditAnnotations": map[string]string{g.text(): g.text()}}
	switch g.choose(4) {
	case 1:
		answer["patch"] = coded(string(mustJSON(g.patch())))
	case 2:
		answer["patch"] = g.text()
	case 3:
		return explain.Body([]byte(g.text()))
	}
	return mustJSON(map[string]any{"response": answer, "notes": coded(g.value)})
}

func (g *secretRequest) request() json.RawMessage {
	return mustJSON(map[string]any{"request": map[string]any{
		"kind": map[string]string{"group": "", "version": "v1", "kind": "Secret"}, "object": g.secret(), "oldObject": g.secret(),
	}})
}

// explanation returns a request with a mutating webhook, and the states of its
// object.
func (g *secretRequest) explanation() (*explain.Explanation, []explain.State) {
	kind := metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}
	old, sent, patched := g.secret(), g.secret(), g.secret()
	patch := g.patch()
	call := &explain.Call{
		Outcome: "allowed", Mutated: true, Patch: patch, Error: g.text(), Warnings: []string{g.text()}, AuditAnnotations: map[string]string{g.text(): g.text()},
		Request: g.request(), Response: g.response(),
	}
	condition := explain.Condition{Name: "c", Expression: "true", Error: g.text()}
	hook := explain.Webhook{
		Name: "m.example.com", Configuration: "m", Called: true, Stage: "matched", Error: g.text(), Call: call,
		Match: explain.Match{ObjectLabels: map[string]string{"copy": g.text(), g.value: "x"}, Conditions: []explain.Condition{condition}, ConditionsError: g.text()},
	}
	again := explain.Webhook{Name: "n.example.com", UID: "n", Called: true, Call: &explain.Call{Outcome: "allowed"}}
	e := &explain.Explanation{
		Request:  explain.Request{Operation: "UPDATE", Kind: kind, Resource: metav1.GroupVersionResource{Version: "v1", Resource: "secrets"}, Object: sent, OldObject: old, Options: mustJSON(map[string]string{"note": g.text()})},
		Warnings: []string{g.text()}, Object: patched,
		Status:           &metav1.Status{Message: g.text(), Reason: metav1.StatusReason(g.text()), Details: &metav1.StatusDetails{Name: g.text(), Causes: []metav1.StatusCause{{Message: g.text(), Field: g.text()}}}},
		AuditAnnotations: []explain.Annotation{{Key: "patch.webhook.admission.k8s.io/round_0_index_0", Value: string(mustJSON(map[string]any{"patch": patch, "patchType": "JSONPatch"}))}, {Key: "m.example.com/" + g.text(), Value: g.text()}},
		Rounds:           []explain.Round{{Phase: "mutating", Webhooks: []explain.Webhook{hook}}, {Phase: "mutating", Round: 1, Webhooks: []explain.Webhook{again}}},
	}
	of := schema.GroupVersionKind(kind)
	return e, []explain.State{
		{Kind: of, Object: old, By: explain.Writer{By: explain.ByStored}}, {Kind: of, Object: sent, By: explain.Writer{By: explain.ByUser}},
		{Kind: of, Object: patched, By: explain.Writer{By: explain.ByWebhook, Webhook: "m.example.com", Configuration: "m"}},
	}
}

// printed returns an explanation in all output forms.
func (g *secretRequest) printed(t *testing.T, e *explain.Explanation) []string {
	t.Helper()
	var trees, page bytes.Buffer
	for _, o := range []explain.TreeOptions{{Color: true, Fields: true}, {Hints: true, Details: true}} {
		if err := e.Tree(&trees, o); err != nil {
			t.Fatal(err)
		}
	}
	document := &explain.Document{Items: []*explain.Explanation{e}}
	if err := report.Write(&page, document); err != nil {
		t.Fatal(err)
	}
	return []string{string(asJSON(t, document)), e.String(), trees.String(), page.String()}
}

func (g *secretRequest) checkHidden(t *testing.T, out string) {
	t.Helper()
	for _, form := range []string{sentinel, coded(g.value), coded(strings.TrimSpace(g.value)), coded(sentinel)} {
		if at := strings.Index(out, form); at >= 0 {
			t.Errorf("of %q, %q is shown in …%s…", g.value, form, out[max(0, at-200):min(len(out), at+200)])
		}
	}
}

// checkExchanges redacts exchanges without an explanation.
func (g *secretRequest) checkExchanges(t *testing.T) {
	t.Helper()
	exchanges := []explain.Exchange{{Request: g.request(), Response: g.response()}, {Request: g.request(), Response: g.response(), Cut: true}}
	h := explain.HideSecrets(exchanges)
	for _, x := range exchanges {
		g.checkHidden(t, string(x.Request)+string(x.Response))
		g.checkPatch(t, x.Response)
	}
	g.checkHidden(t, h.Text(g.text()))
}

// checkPatch decodes the patch of a response, which stays base64.
func (g *secretRequest) checkPatch(t *testing.T, response json.RawMessage) {
	t.Helper()
	var review struct{ Response struct{ Patch []byte } }
	if json.Unmarshal(response, &review) == nil {
		g.checkHidden(t, string(review.Response.Patch))
	}
}

// checkFilter redacts a text with a SecretFilter.
func (g *secretRequest) checkFilter(t *testing.T) {
	t.Helper()
	objects := []json.RawMessage{g.secret(), g.secret()}
	filter := explain.NewSecretFilter(metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}, objects, g.patch()...)
	g.checkHidden(t, filter.Text(g.text()))
}

func asJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func mustJSON(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // not reached: all values can be encoded
	}
	return text
}
