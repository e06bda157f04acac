package explain

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/audit"
	"example.com/gatehouse/internal/testutil/testtable"
)

// The values of the Secret in these tests, in the order of its keys.
const (
	password = "correct horse battery staple"
	pin      = "42z"
	pem      = "-----BEGIN KEY-----\nMIIBVgIBADANBgkqh\nkiG9w0BAQEFAASCAT\n-----END KEY-----\n"
)

func coded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// secretRequest returns a request for a Secret with a webhook that quotes the
// data wherever a webhook can.
func secretRequest() *Explanation {
	secret := fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"keys","namespace":"default","labels":{"copy":%q},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":%q}},"data":{"password":%q,"pem":%q,"pin":%q},"stringData":{"token":%q}}`,
		pin, `{"data":{"password":"`+coded(password)+`"}}`, coded(password), coded(pem), coded(pin), "tok-en")
	gossip := "they say " + password + " and " + coded(password) + " and \"" + pin + "\" and tok-en and MIIBVgIBADANBgkqh"
	quoted := fmt.Sprintf("%q", pem)
	value, _ := json.Marshal(coded(password))
	text, _ := json.Marshal(gossip)
	return &Explanation{
		Request: Request{Kind: metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}, Object: json.RawMessage(secret), OldObject: json.RawMessage(secret)},
		Status:  &metav1.Status{Message: gossip, Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: quoted}}}}, Warnings: []string{gossip},
		AuditAnnotations: []Annotation{{Key: "k", Value: gossip}},
		Object:           json.RawMessage(secret),
		Rounds: []Round{{Phase: mutating, Webhooks: []Webhook{{
			Name: "m", Configuration: "c", Called: true, Error: quoted, Match: Match{ObjectLabels: map[string]string{"copy": pin}, Conditions: []Condition{{Error: gossip}}},
			Call: &Call{
				Error: gossip, Warnings: []string{quoted}, AuditAnnotations: map[string]string{"a": gossip},
				Patch: []Operation{
					{Op: "add", Path: "/data/more", Value: json.RawMessage(`"` + coded("more of it") + `"`)},
					{Op: "add", Path: "", Value: json.RawMessage(secret)},
					{Op: "add", Path: "/metadata/annotations/x", Value: text},
				},
				Request:  json.RawMessage(`{"request":{"object":` + secret + `,"oldObject":` + secret + `}}`),
				Response: json.RawMessage(`{"response":{"patch":` + string(value) + `,"warnings":[` + string(text) + `]}}`),
			},
		}}}},
	}
}

func secretStates() []State {
	e := secretRequest()
	kind := schemaKind(e)
	after := strings.Replace(string(e.Object), coded(pin), coded("another value"), 1)
	return []State{
		{Kind: kind, Object: e.Request.OldObject, By: Writer{By: ByStored}},
		{Kind: kind, Object: e.Request.Object, By: Writer{By: ByUser}},
		{Kind: kind, Object: json.RawMessage(after), By: Writer{By: ByWebhook, Webhook: "m", Configuration: "c"}},
		{Kind: kind, Object: e.Object, By: Writer{By: ByServer}},
	}
}

// TestSecretsAreHidden searches the JSON and the tree for the values.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	e := secretRequest()
	Complete(e, secretStates(), WithBodies())
	for _, out := range printed(t, e) {
		for _, value := range []string{password, pin, "tok-en", "MIIBVgIBADANBgkqh", "kiG9w0BAQEFAASCAT", "more of it", "another value"} {
			for _, form := range []string{value, coded(value)} {
				if strings.Contains(out, form) {
					t.Errorf("%q is shown in\n%s", form, out)
				}
			}
		}
		if !strings.Contains(out, redacted) {
			t.Errorf("nothing says that something is hidden:\n%s", out)
		}
	}
	if len(e.Redacted) != 1 || len(e.Problems) != 0 || len(e.Fields) == 0 {
		t.Errorf("redacted %q, problems %q, %d fields", e.Redacted, e.Problems, len(e.Fields))
	}
}

// TestTokensAreHidden: a TokenReview and a TokenRequest hold one.
func TestTokensAreHidden(t *testing.T) {
	t.Parallel()
	for object, kind := range map[string]string{
		`{"spec":{"audiences":["a"],"token":"swordfish"}}`: "TokenReview",
		`{"status":{"token":"swordfish"}}`:                 "TokenRequest",
	} {
		e := &Explanation{
			Request: Request{Kind: metav1.GroupVersionKind{Group: "authentication.k8s.io", Version: "v1", Kind: kind}, Object: json.RawMessage(object)},
			Object:  json.RawMessage(object), Warnings: []string{"swordfish is short"},
		}
		Complete(e, nil)
		want := strings.ReplaceAll(object, "swordfish", redacted)
		if string(e.Object) != want || string(e.Request.Object) != want || e.Warnings[0] != redacted+" is short" || len(e.Redacted) != 1 {
			t.Errorf("%s: %s, %s, %q, redacted %q", kind, e.Object, e.Request.Object, e.Warnings, e.Redacted)
		}
	}
}

// TestSecretsAreShown wants nothing redacted with ShowSecrets.
func TestSecretsAreShown(t *testing.T) {
	t.Parallel()
	e := secretRequest()
	Complete(e, secretStates(), WithBodies(), ShowSecrets())
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), coded(password)) || strings.Contains(string(text), redacted) || len(e.Redacted) != 0 {
		t.Errorf("something is hidden:\n%s", text)
	}
}

// TestRedact wants the values at the paths redacted in any kind of object, and
// no others.
func TestRedact(t *testing.T) {
	t.Parallel()
	path, err := ParsePath("spec.env[*].value")
	if err != nil {
		t.Fatal(err)
	}
	kind := metav1.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Robot"}
	object := json.RawMessage(`{"apiVersion":"example.com/v1","kind":"Robot","spec":{"env":[{"name":"A","value":"swordfish"},{"name":"B","value":7}],"speed":7}}`)
	e := &Explanation{
		Request: Request{Kind: kind, Object: object}, Object: object,
		Status: &metav1.Status{Message: "swordfish is too short"},
	}
	Complete(e, nil, Redact(path))
	const want = `{"apiVersion":"example.com/v1","kind":"Robot","spec":{"env":[{"name":"A","value":"[redacted]"},{"name":"B","value":"[redacted]"}],"speed":7}}`
	if string(e.Object) != want || e.Status.Message != "[redacted] is too short" {
		t.Errorf("object %s\nstatus %q", e.Object, e.Status.Message)
	}
}

// printed returns an explanation as JSON and as a tree.
func printed(t *testing.T, e *Explanation) []string {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var tree strings.Builder
	if err := e.Tree(&tree, TreeOptions{Hints: true, Details: true}); err != nil {
		t.Fatal(err)
	}
	return []string{string(text), tree.String()}
}

func schemaKind(e *Explanation) schema.GroupVersionKind {
	return schema.GroupVersionKind(e.Request.Kind)
}

// TestRedactShort redacts a value that decodes from base64 to invalid UTF-8.
func TestRedactShort(t *testing.T) {
	t.Parallel()
	object := json.RawMessage(`{"metadata":{"labels":{"pin":"1234"}}}`)
	e := &Explanation{Request: Request{Object: object}, Object: object, Warnings: []string{"1234 is no pin"}}
	Complete(e, nil, Redact(Path{}.Key("metadata").Key("labels").Key("pin")))
	if string(e.Object) != `{"metadata":{"labels":{"pin":"[redacted]"}}}` || e.Warnings[0] != "[redacted] is no pin" {
		t.Errorf("object %s, warning %q", e.Object, e.Warnings[0])
	}
}

// TestQuotesAreHidden covers forms in which webhooks have quoted values.
func TestQuotesAreHidden(t *testing.T) {
	t.Parallel()
	const value = "hunter2"
	secret := json.RawMessage(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"pw":"` + coded(value+"\n") + `"}}`)
	patch := `[{"op":"add","path":"/data/x","value":"` + coded(value) + `"}]`
	type test struct {
		row
		with func(*Explanation)
	}
	testtable.Run(t, []test{
		{row{"without the line break of echo", "quotes omit the line break"}, func(e *Explanation) { e.Warnings = []string{value + " is weak"} }},
		{row{"reason", "the webhook chooses the reason"}, func(e *Explanation) { e.Status = &metav1.Status{Reason: "Weak_" + value} }},
		{row{"details", "the webhook chooses the details"}, func(e *Explanation) {
			e.Status = &metav1.Status{Details: &metav1.StatusDetails{Name: value, Group: value, Kind: value, UID: value,
				Causes: []metav1.StatusCause{{Type: value, Field: value, Message: value}}}}
		}},
		{row{"key of an annotation", "the path contains the key"}, func(e *Explanation) {
			e.Rounds[0].Webhooks[0].Call.Changes = []Change{{Path: "metadata.annotations." + value, Op: "add", New: json.RawMessage(`""`)}}
		}},
		{row{"key of an audit annotation", "the webhook chooses the key"}, func(e *Explanation) {
			e.AuditAnnotations = []Annotation{{Key: "m.example.com/" + value}}
		}},
		{row{"patch in the wrong member", "base64 within base64"}, func(e *Explanation) {
			e.Rounds[0].Webhooks[0].Call.Response = json.RawMessage(`{"patch":"` + coded(patch) + `"}`)
		}},
	}, func(t *testing.T, tc test) {
		e := &Explanation{
			Request: Request{Kind: metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}, Object: secret},
			Rounds:  []Round{{Phase: mutating, Webhooks: []Webhook{{Name: "m", Called: true, Call: &Call{}}}}},
		}
		tc.with(e)
		Complete(e, nil, WithBodies())
		for _, out := range printed(t, e) {
			for _, form := range []string{value, coded(value), coded(patch)} {
				if strings.Contains(out, form) {
					t.Errorf("%q is shown in\n%s", form, out)
				}
			}
		}
	})
}

// TestKeysAreHidden covers a value that a webhook used as a key. In JSON
// pointers and paths it is escaped.
func TestKeysAreHidden(t *testing.T) {
	t.Parallel()
	const value = "it's a/pass~word"
	secret := json.RawMessage(`{"apiVersion":"v1","kind":"Secret","metadata":{"labels":{}},"data":{"pw":"` + coded(value) + `"}}`)
	labelled := json.RawMessage(strings.Replace(string(secret), "{}", `{"`+value+`":"x"}`, 1))
	patch := []Operation{{Op: "add", Path: "/metadata/labels/it's a~1pass~0word", Value: json.RawMessage(`"x"`)}}
	text, err := json.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	e := &Explanation{
		Request: Request{Kind: metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}, Object: secret}, Object: labelled,
		AuditAnnotations: []Annotation{{Key: audit.PatchPrefix + "round_0_index_0", Value: `{"patch":` + string(text) + `}`}},
		Rounds: []Round{
			{Phase: mutating, Webhooks: []Webhook{{Name: "m", Called: true, Call: &Call{Mutated: true, Patch: patch}}}},
			{Phase: mutating, Round: 1, Webhooks: []Webhook{{Name: "n", Called: true, Call: &Call{}}}},
		},
	}
	Complete(e, []State{
		{Kind: schemaKind(e), Object: secret, By: Writer{By: ByUser}},
		{Kind: schemaKind(e), Object: labelled, By: Writer{By: ByWebhook, Webhook: "m"}},
	})
	exchanges := []Exchange{{Request: json.RawMessage(`{"request":{"object":` + string(secret) + `}}`), Response: json.RawMessage(`{"response":{"patch":"` + coded(string(text)) + `"}}`)}}
	HideSecrets(exchanges)
	for _, out := range append(printed(t, e), string(exchanges[0].Response)) {
		for _, part := range []string{"word", coded(string(text))} {
			if strings.Contains(out, part) {
				t.Errorf("%q is shown in\n%s", part, out)
			}
		}
	}
}

// TestRedactNumbers redacts a number where webhooks and gatehouse quote it.
func TestRedactNumbers(t *testing.T) {
	t.Parallel()
	path, err := ParsePath("spec.runAsUser")
	if err != nil {
		t.Fatal(err)
	}
	e := &Explanation{
		Object: json.RawMessage(`{"spec":{"runAsUser":123456789}}`), Warnings: []string{"no user 123456789"},
		AuditAnnotations: []Annotation{{
			Key:   "patch.webhook.admission.k8s.io/round_0_index_0",
			Value: `{"configuration":"c","webhook":"m","patch":[{"op":"add","path":"/spec/runAsUser","value":42}],"patchType":"JSONPatch"}`,
		}},
	}
	Complete(e, nil, Redact(path))
	for _, out := range printed(t, e) {
		if strings.Contains(out, "123456789") || strings.Contains(out, "42") {
			t.Errorf("it is shown in\n%s", out)
		}
	}
	const want = `{"configuration":"c","webhook":"m","patch":[{"op":"add","path":"/spec/runAsUser","value":"[redacted]"}],"patchType":"JSONPatch"}`
	if got := e.AuditAnnotations[0].Value; got != want {
		t.Errorf("the annotation is %s, want %s", got, want)
	}
}

// TestRedactDeep: redacting takes memory, and so time, that is not quadratic in the depth of
// the object. It is not parallel: it counts the allocations of the process.
func TestRedactDeep(t *testing.T) {
	bytesFor := func(depth int) uint64 {
		object := strings.Repeat("[", depth) + strings.Repeat("0,", 50) + "0" + strings.Repeat("]", depth)
		r := &pathRedactor{paths: []Path{Path{}.Key("x")}}
		value := json.RawMessage(`{"x":` + object + `}`)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r.valueAt("", &value)
		runtime.ReadMemStats(&after)
		if !strings.Contains(string(value), redacted) {
			t.Fatalf("nothing is redacted")
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if once, twice := bytesFor(1000), bytesFor(2000); twice > 3*once {
		t.Errorf("%d bytes for a depth of 1,000, %d for 2,000", once, twice)
	}
}
