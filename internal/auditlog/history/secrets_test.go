package history_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/auditlog/record"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// sentinel is the data of the Secret. Nothing else in the log contains it.
const sentinel = "Zq7hunter2Wx"

// secretText draws a text with the data in some form.
func secretText(t *rapid.T) string {
	return fmt.Sprintf(rapid.SampledFrom([]string{"%s", "a %s b", `{\"p\":\"%s\"}`}).Draw(t, "around"),
		rapid.SampledFrom([]string{sentinel, base64.StdEncoding.EncodeToString([]byte(sentinel))}).Draw(t, "form"))
}

// drawSecretEvent adds an event about a Secret, with its data wherever webhooks and clients
// put texts.
func drawSecretEvent(t *rapid.T, log *audittest.Log) {
	coded := base64.StdEncoding.EncodeToString([]byte(sentinel))
	whole := fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","annotations":{"a":"b"}},"data":{"p":%q}}`, coded)
	copied := fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","annotations":{"a":"%s"}},"data":{"p":%q}}`, secretText(t), coded)
	type request struct{ verb, body string }
	r := rapid.SampledFrom([]request{
		{"create", whole},
		{"create", strings.Replace(whole, `"data":{"p":"`+coded, `"stringData":{"p":"`+sentinel, 1)},
		{"update", whole}, {"update", copied},
		{"patch", fmt.Sprintf(`{"stringData":{"p":%q}}`, sentinel)},
		{"patch", fmt.Sprintf(`[{"op":"replace","path":"/data/p","value":%q}]`, coded)},
		{"patch", `{"metadata":{"labels":{"a":"b"}}}`},
		{"delete", ``},
	}).Draw(t, "request")
	edits := []audittest.Edit{audittest.Of("", "secrets", "shop", "db")}
	for i := range rapid.IntRange(0, 2).Draw(t, "calls") {
		key := rapid.SampledFrom([]string{"a", sentinel}).Draw(t, "key")
		edits = append(edits, audittest.Called(i, "hook", fmt.Sprintf(`[{"op":"add","path":"/metadata/annotations/%s","value":"%s"},{"op":"add","path":"/data/q","value":%q}]`, key, secretText(t), coded)))
	}
	if rapid.Bool().Draw(t, "answer") {
		edits = append(edits, audittest.Answer(rapid.SampledFrom([]string{whole, copied}).Draw(t, "stored")))
	}
	message := secretText(t)
	edits = append(edits, rapid.SampledFrom([]audittest.Edit{
		audittest.AtMetadata(), audittest.Annotated("hook/"+sentinel, message),
		audittest.Refused(403, `admission webhook "hook" denied the request: `+message),
		audittest.Refused(400, message), audittest.Query("fieldManager=x"), audittest.Subresource("status"),
		audittest.Annotated("validation.policy.admission.k8s.io/validation_failure", fmt.Sprintf(`[{"policy":"p","binding":"b","message":"%s"}]`, sentinel)),
	}).Draw(t, "edit"))
	log.Add(r.verb, "ann", r.body, edits...)
}

type secretRow struct {
	row
	events func(*audittest.Log)
}

// TestSecretRows has what drawn logs rarely have.
func TestSecretRows(t *testing.T) {
	t.Parallel()
	of := audittest.Of("", "secrets", "shop", "db")
	secret := func(value string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"stringData":{"p":%q}}`, value)
	}
	copies := audittest.Called(0, "hook", fmt.Sprintf(`[{"op":"add","path":"/metadata/annotations","value":{"copy":%q}}]`, sentinel))
	testtable.Run(t, []secretRow{
		{row{"message", "it quotes what is stored, and the log has no body"}, func(l *audittest.Log) {
			l.Add("delete", "ann", ``, of, audittest.Refused(403, `admission webhook "hook" denied the request: `+sentinel))
			l.Add("delete", "ann", ``, of, audittest.Refused(400, sentinel))
		}},
		{row{"copy", "a webhook copies what is stored, and the log does not have it"}, func(l *audittest.Log) {
			l.Add("patch", "ann", `{"metadata":{"labels":{"a":"b"}}}`, of, copies, audittest.Answer(`{"metadata":{"name":"db"}}`))
		}},
		{row{"earlier value", "a webhook copies a value that was replaced two requests before"}, func(l *audittest.Log) {
			l.Add("create", "ann", secret(sentinel), of)
			l.Add("update", "ann", secret("another"), of)
			l.Add("update", "ann", secret("another"), of, copies)
		}},
	}, func(t *testing.T, tc secretRow) {
		var log audittest.Log
		tc.events(&log)
		for _, entry := range entriesOf(t, log.Text(), "secret/shop/db") {
			text, err := json.Marshal(entry)
			if err != nil || strings.Contains(string(text)+entry.Explanation.String(), sentinel) {
				t.Errorf("%v\n%s", err, entry.Explanation)
			}
		}
	})
}

// TestSecrets: no output has the data of a Secret.
func TestSecrets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var log audittest.Log
		for range rapid.IntRange(1, 8).Draw(rt, "events") {
			drawSecretEvent(rt, &log)
		}
		var out strings.Builder
		print := func(v any) {
			text, err := json.Marshal(v)
			if err != nil {
				rt.Fatal(err)
			}
			out.Write(text)
		}
		for _, entry := range entriesOf(t, log.Text(), "secret/shop/db") {
			print(entry)
			if err := entry.Explanation.Tree(&out, explain.TreeOptions{Details: true}); err != nil {
				rt.Fatal(err)
			}
		}
		counts, finder := tally.New(), loops.New(loops.Config{Least: 1})
		recorder, err := record.New(record.Config{Write: func(e *corpus.Entry) error {
			print(e)
			return nil
		}})
		if err != nil {
			rt.Fatal(err)
		}
		_, err = auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log.Text())}, func(e *auditlog.Event) error {
			counts.Add(e)
			finder.Add(e)
			return recorder.Add(e)
		})
		if err != nil {
			rt.Fatal(err)
		}
		print(recorder.Report())
		print(counts.Report())
		print(finder.Loops())
		for _, secret := range []string{sentinel, base64.StdEncoding.EncodeToString([]byte(sentinel))} {
			if i := strings.Index(out.String(), secret); i >= 0 {
				rt.Fatalf("the output has the data: …%s…", out.String()[max(i-200, 0):i+len(secret)])
			}
		}
	})
}
