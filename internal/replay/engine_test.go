package replay_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
)

const configuration = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: labels}
webhooks:
- name: labels.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: labels, namespace: webhooks, path: /mutate}}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: checks}
webhooks:
- name: checks.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: checks, namespace: webhooks, path: /validate}}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
  namespaceSelector: {matchLabels: {checked: "true"}}
`

// review returns the AdmissionReview of a new pod.
func review(name string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{
"uid":"u","kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},
"name":%q,"namespace":"shop","operation":"CREATE","userInfo":{"username":"alice"},
"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":%[1]q,"namespace":"shop"},"spec":{"containers":[{"name":"c","image":"i"}]}},
"options":{"apiVersion":"meta.k8s.io/v1","kind":"CreateOptions"}}}`, name))
}

func entry(name string) *corpus.Entry {
	return &corpus.Entry{
		ID: name, Source: corpus.FromReview, Review: review(name),
		NamespaceLabels: map[string]string{"checked": "true"},
		Answers: []corpus.Answer{{
			Phase: "mutating", Configuration: "labels", Webhook: "labels.example.com", Outcome: "allowed",
			Response: json.RawMessage(`{"allowed":true,"patchType":"JSONPatch","patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscyIsInZhbHVlIjp7ImEiOiJiIn19XQ=="}`),
		}, {
			Phase: "validating", Configuration: "checks", Webhook: "checks.example.com", Outcome: "rejected",
			Response: json.RawMessage(`{"allowed":false,"status":{"message":"no","code":403}}`),
		}},
	}
}

func newEngine(t *testing.T, o replay.Options, manifests string) *replay.Engine {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	if o.Session == nil {
		o.Session = session.NewOptions()
	}
	o.Session.Configs, o.Session.Stderr = []string{file}, &bytes.Buffer{}
	e, err := replay.New(&o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// TestRecorded compares a whole result.
func TestRecorded(t *testing.T) {
	t.Parallel()
	e := newEngine(t, replay.Options{RecordedAnswers: true}, configuration)
	r, _, err := e.Admit(t.Context(), entry("web"))
	if err != nil {
		t.Fatal(err)
	}
	want := &replay.Result{
		ID: "web", Request: "CREATE pods/web in shop by alice",
		Status: &metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure", Code: 403,
			Message: `admission webhook "checks.example.com" denied the request: no`,
		},
		Calls: []replay.Call{{
			Phase: "mutating", Configuration: "labels", Webhook: "labels.example.com", Outcome: "allowed",
			Code: 200, Patch: json.RawMessage(`[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`),
			Assumed: true,
		}, {
			Phase: "validating", Configuration: "checks", Webhook: "checks.example.com", Outcome: "rejected",
			Code: 403, Error: `admission webhook "checks.example.com" denied the request: no`, Assumed: true,
		}},
	}
	if diff := cmp.Diff(want, r, cmpopts.IgnoreFields(replay.Result{}, "Object", "AuditAnnotations")); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if !bytes.Contains(r.Object, []byte(`"labels":{"a":"b"}`)) || len(r.AuditAnnotations) != 2 {
		t.Errorf("object: %s\nannotations: %v", r.Object, r.AuditAnnotations)
	}
}

// TestRenamed: the webhook at the recorded address answers, and without it the
// verdict is not known.
func TestRenamed(t *testing.T) {
	t.Parallel()
	renamed := strings.ReplaceAll(configuration, "checks.example.com", "verify.example.com")
	e := newEngine(t, replay.Options{RecordedAnswers: true}, renamed)
	known, unknown := entry("known"), entry("unknown")
	known.Answers[1].URL = "https://checks.webhooks.svc:443/validate"
	for _, tc := range []struct {
		entry     *corpus.Entry
		outcome   string
		undecided bool
	}{{known, "rejected", false}, {unknown, "not reached", true}} {
		r, _, err := e.Admit(t.Context(), tc.entry)
		if err != nil {
			t.Fatal(err)
		}
		if r.Allowed || r.Undecided != tc.undecided || r.Calls[1].Outcome != tc.outcome {
			t.Errorf("%s: undecided %t, %+v", r.ID, r.Undecided, r.Calls[1])
		}
	}
}

// TestReplay keeps the order, and ends with the first error of the entries.
func TestReplay(t *testing.T) {
	t.Parallel()
	o := session.NewOptions()
	o.Parallel = 4
	e := newEngine(t, replay.Options{Session: o, RecordedAnswers: true}, configuration)
	broken := errors.New("broken")
	entries := func(yield func(*corpus.Entry, error) bool) {
		for i := range 50 {
			if !yield(entry(fmt.Sprint(i)), nil) {
				return
			}
		}
		yield(nil, broken)
	}
	count := 0
	err := e.Replay(t.Context(), entries, func(r *replay.Result) error {
		if r.ID != fmt.Sprint(count) {
			t.Errorf("result %d is that of %s", count, r.ID)
		}
		count++
		return nil
	})
	if count != 50 || !errors.Is(err, broken) {
		t.Errorf("%d results, %v", count, err)
	}
}

// TestSecrets: the data of a Secret is in no result, even if the corpus has it and
// webhooks write more.
func TestSecrets(t *testing.T) {
	t.Parallel()
	e := newEngine(t, replay.Options{RecordedAnswers: true},
		strings.ReplaceAll(configuration, "[pods]", "[secrets]"))
	one := entry("s")
	one.Review = json.RawMessage(strings.NewReplacer(`"kind":"Pod"`, `"kind":"Secret"`, `"pods"`, `"secrets"`,
		`"spec":{"containers":[{"name":"c","image":"i"}]}`, `"data":{"password":"aHVudGVyMnBhc3N3b3Jk"}`).
		Replace(string(one.Review)))
	patch := `[{"op":"add","path":"/data/more","value":"c2Vjb25kc2VjcmV0"}]`
	one.Answers[0].Response = json.RawMessage(fmt.Sprintf(`{"allowed":true,"patchType":"JSONPatch","patch":%q}`,
		base64.StdEncoding.EncodeToString([]byte(patch))))
	one.Answers[1].Response = json.RawMessage(
		`{"allowed":false,"status":{"message":"hunter2password is weak","code":403}}`)
	r, _, err := e.Admit(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter2password", "aHVudGVyMnBhc3N3b3Jk", "c2Vjb25kc2VjcmV0", "secondsecret"} {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("the result has %s:\n%s", secret, text)
		}
	}
	if !r.Redacted || r.Allowed || len(r.Calls) != 2 || !bytes.Contains(r.Calls[0].Patch, []byte("/data/more")) {
		t.Errorf("the result is incomplete:\n%s", text)
	}
}

// TestInjected: the ports of fault servers are in no result.
func TestInjected(t *testing.T) {
	t.Parallel()
	var results []string
	for range 2 {
		o := session.NewOptions()
		o.Inject = []string{"checks.example.com=refuse"}
		e := newEngine(t, replay.Options{Session: o, RecordedAnswers: true}, configuration)
		r, _, err := e.Admit(t.Context(), entry("web"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, string(text))
	}
	if diff := cmp.Diff(results[0], results[1]); diff != "" {
		t.Errorf("two runs differ (-first +second):\n%s", diff)
	}
	if !strings.Contains(results[0], "connection refused") {
		t.Errorf("the fault is missing:\n%s", results[0])
	}
}

// TestGeneratedName depends on the ID only.
func TestGeneratedName(t *testing.T) {
	t.Parallel()
	e := newEngine(t, replay.Options{RecordedAnswers: true}, configuration)
	named := func(id string) string {
		one := entry(id)
		one.Review = json.RawMessage(strings.NewReplacer(`"name":"`+id+`","namespace":"shop","op`, `"namespace":"shop","op`,
			`"metadata":{"name":"`+id+`"`, `"metadata":{"generateName":"web-"`).Replace(string(one.Review)))
		r, _, err := e.Admit(t.Context(), one)
		if err != nil || r.Error != "" {
			t.Fatal(err, r)
		}
		return r.Request
	}
	if a, b := named("a"), named("b"); a == b || a != named("a") || !strings.HasPrefix(a, "CREATE pods/web-") {
		t.Errorf("names: %s, %s", a, b)
	}
}
