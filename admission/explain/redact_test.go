package explain

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The values of the Secret in these tests, in the order of its keys.
const (
	password = "correct horse battery staple"
	pin      = "42z"
	pem      = "-----BEGIN KEY-----\nMIIBVgIBADANBgkqh\nkiG9w0BAQEFAASCAT\n-----END KEY-----\n"
)

func coded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// secretRequest is a Secret on its way through a webhook that quotes all of it wherever
// a webhook can.
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

// TestSecretsAreHidden looks for the values in the whole document and in the text.
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
		if !strings.Contains(out, hidden) {
			t.Errorf("nothing says that something is hidden:\n%s", out)
		}
	}
	if len(e.Redacted) != 1 || len(e.Problems) != 0 || len(e.Fields) == 0 {
		t.Errorf("redacted %q, problems %q, %d fields", e.Redacted, e.Problems, len(e.Fields))
	}
}

// TestSecretsAreShown to those who want to see them.
func TestSecretsAreShown(t *testing.T) {
	t.Parallel()
	e := secretRequest()
	Complete(e, secretStates(), WithBodies(), ShowSecrets())
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), coded(password)) || strings.Contains(string(text), hidden) || len(e.Redacted) != 0 {
		t.Errorf("something is hidden:\n%s", text)
	}
}

// TestRedact hides what is named in any kind of object, and nothing else.
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

// printed returns an explanation as programs and as people see it.
func printed(t *testing.T, e *Explanation) []string {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return []string{string(text), e.String()}
}

func schemaKind(e *Explanation) schema.GroupVersionKind {
	return schema.GroupVersionKind(e.Request.Kind)
}

// TestRedactShort hides a value whose bytes, taken for base64, are no text.
func TestRedactShort(t *testing.T) {
	t.Parallel()
	object := json.RawMessage(`{"metadata":{"labels":{"pin":"1234"}}}`)
	e := &Explanation{Request: Request{Object: object}, Object: object, Warnings: []string{"1234 is no pin"}}
	Complete(e, nil, Redact(Path{}.Key("metadata").Key("labels").Key("pin")))
	if string(e.Object) != `{"metadata":{"labels":{"pin":"[redacted]"}}}` || e.Warnings[0] != "[redacted] is no pin" {
		t.Errorf("object %s, warning %q", e.Object, e.Warnings[0])
	}
}
