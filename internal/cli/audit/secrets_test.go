package audit

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/testutil/audittest"
)

// The data of a Secret, and what --redact hides. Nothing else in a log contains them.
const (
	sentinel = "Zq7hunter2Wx"
	hidden   = "Hq8hidden3YzAb"
)

var coded = base64.StdEncoding.EncodeToString([]byte(sentinel))

// drawSecret adds an event about a Secret, with its data wherever clients and webhooks put
// texts.
func drawSecret(t *rapid.T, log *audittest.Log) {
	quote := fmt.Sprintf(rapid.SampledFrom([]string{"%s", "a %s <b>", `{\"p\":\"%s\"}`}).Draw(t, "quote"),
		rapid.SampledFrom([]string{sentinel, coded}).Draw(t, "form"))
	whole := fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","annotations":{"a":%q}},"data":{"p":%q}}`,
		rapid.SampledFrom([]string{"b", sentinel, coded}).Draw(t, "annotation"), coded)
	type request struct{ verb, body string }
	r := rapid.SampledFrom([]request{
		{"create", whole}, {"update", whole}, {"update", strings.Replace(whole, `"data":{"p":"`+coded, `"stringData":{"p":"`+sentinel, 1)},
		{"patch", fmt.Sprintf(`{"stringData":{"p":%q}}`, sentinel)}, {"patch", fmt.Sprintf(`[{"op":"replace","path":"/data/p","value":%q}]`, coded)}, {"delete", ``},
	}).Draw(t, "request")
	key := rapid.SampledFrom([]string{"a", sentinel, coded}).Draw(t, "key")
	log.Add(r.verb, "ann", r.body, audittest.Of("", "secrets", "shop", "db"), audittest.Answer(whole),
		audittest.Called(0, "hook", fmt.Sprintf(`[{"op":"add","path":"/metadata/annotations/%s","value":"%s"}]`, key, quote)),
		rapid.SampledFrom([]audittest.Edit{
			audittest.AtMetadata(), atRequest, audittest.Query("fieldManager=x"), audittest.Annotated("hook/"+key, quote),
			audittest.Refused(403, `admission webhook "hook" denied the request: `+quote), audittest.Refused(400, quote),
			audittest.Annotated("validation.policy.admission.k8s.io/validation_failure", fmt.Sprintf(`[{"policy":"p","binding":"b","message":"%s"}]`, key)),
		}).Draw(t, "edit"))
}

// atRequest takes what the level Request does not have.
func atRequest(e *auditv1.Event) { e.Level, e.ResponseObject = auditv1.LevelRequest, nil }

// drawHidden adds an event about a ConfigMap, with what is hidden wherever it may be.
func drawHidden(t *rapid.T, log *audittest.Log) {
	whole := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"hidden":%q,"seen":"x"}}`, hidden)
	type request struct{ verb, body string }
	r := rapid.SampledFrom([]request{
		{"create", whole}, {"update", whole}, {"update", strings.Replace(whole, hidden, "other", 1)},
		{"patch", fmt.Sprintf(`{"data":{"hidden":%q}}`, hidden)}, {"patch", fmt.Sprintf(`[{"op":"replace","path":"/data/hidden","value":%q}]`, hidden)},
	}).Draw(t, "request")
	patch := rapid.SampledFrom([]string{
		fmt.Sprintf(`[{"op":"add","path":"/data/hidden","value":%q}]`, hidden),
		fmt.Sprintf(`[{"op":"replace","path":"/data","value":{"hidden":%q}}]`, hidden), `[{"op":"remove","path":"/data/hidden"}]`, "",
	}).Draw(t, "patch")
	log.Add(r.verb, "ann", r.body, audittest.Of("", "configmaps", "shop", "c"), audittest.Answer(whole), audittest.Called(0, "hook", patch))
}

// TestNothingHiddenIsPrinted: no format has the data of a Secret, nor what --redact hides.
func TestNothingHiddenIsPrinted(t *testing.T) {
	t.Parallel()
	check := func(rt *rapid.T, log *audittest.Log, values []string, args ...string) {
		format := rapid.SampledFrom([]string{"text", "json", "html"}).Draw(rt, "format")
		out, err := execute(t, log.Text(), append(args, "-o", format)...)
		if err != nil && !errors.Is(err, message.ErrDenied) {
			rt.Fatal(err)
		}
		for _, value := range values {
			if i := strings.Index(out, value); i >= 0 {
				rt.Fatalf("%v has %s: …%s…", args, value, out[max(i-200, 0):i+len(value)])
			}
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		var secret, redacted audittest.Log
		for range rapid.IntRange(1, 6).Draw(rt, "events") {
			drawSecret(rt, &secret)
			drawHidden(rt, &redacted)
		}
		check(rt, &secret, []string{sentinel, coded}, "--least", "1")
		check(rt, &secret, []string{sentinel, coded}, "--object", "secret/shop/db")
		check(rt, &redacted, []string{hidden}, "--object", "configmap/shop/c", "--redact", "data.hidden")
	})
}

// TestRedactCopies: loops of one event share its bodies, so redaction does not write to them.
func TestRedactCopies(t *testing.T) {
	t.Parallel()
	const body = `{"metadata":{"name":"a","namespace":"b"}}`
	path, err := explain.ParsePath("metadata.namespace")
	if err != nil {
		t.Fatal(err)
	}
	line := json.RawMessage(body + body) // as they are in a log, one before the other
	r := loops.Request{Object: line[:len(body)], OldObject: line[len(body):]}
	clean, err := redacted(r, []explain.Path{path})
	if err != nil || strings.Contains(string(clean.Object)+string(clean.OldObject), `"b"`) {
		t.Fatalf("got %s and %s, %v", clean.Object, clean.OldObject, err)
	}
	if string(line) != body+body {
		t.Errorf("the line is %s, want %s", line, body+body)
	}
}
