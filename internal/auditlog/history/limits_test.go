package history_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/testutil/audittest"
)

// TestManyRequests: of the requests about an object the last ones are kept.
func TestManyRequests(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	for range 1003 {
		log.Add("update", "ann", ``, audittest.AtMetadata())
	}
	query, err := history.ParseQuery("deployment/shop/web")
	if err != nil {
		t.Fatal(err)
	}
	h := history.New(query)
	_, err = auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log.Text())}, func(e *auditlog.Event) error {
		h.Add(e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := h.Entries()
	if err != nil || len(entries) != 1000 || entries[0].AuditID != "id-4" || h.Dropped != 3 {
		t.Errorf("%d entries, %d dropped, %v", len(entries), h.Dropped, err)
	}
}

// TestDefaults: the server's defaults of a built-in kind are known.
func TestDefaults(t *testing.T) {
	t.Parallel()
	const sent = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"x":1}}`
	var log audittest.Log
	log.Add("create", "ann", strings.Replace(sent, `"x":1`, ``, 1), audittest.Answer(strings.Replace(sent, `"x":1`, `"replicas":1`, 1)))
	e := entriesOf(t, log.Text(), "deployment/shop/web")[0].Explanation
	if got := writersOf(e, "spec.replicas"); got != "defaulting" {
		t.Errorf("it is by %q", got)
	}
}

// TestDeleted: what a deletion answers is not what is stored afterwards.
func TestDeleted(t *testing.T) {
	t.Parallel()
	of := audittest.Of("example.com", "widgets", "shop", "w")
	var log audittest.Log
	log.Add("create", "ann", widgetWith("u", ``), of)
	log.Add("delete", "ann", ``, of, audittest.Answer(widgetWith("u", ``)))
	log.Add("update", "ann", widgetWith("u", ``), of)
	e := entriesOf(t, log.Text(), "widget/shop/w")[2].Explanation
	if got := writersOf(e, "spec.v"); got != "user" || len(e.Problems) != 1 {
		t.Errorf("it is by %q, %q", got, e.Problems)
	}
}

// TestUnknownSecret: what a webhook wrote may have the data that the log does not have, also
// as a key.
func TestUnknownSecret(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("patch", "ann", `{"metadata":{"labels":{"a":"b"}}}`, audittest.Of("", "secrets", "shop", "db"),
		audittest.Called(0, "hook", `[{"op":"add","path":"/metadata/annotations/`+sentinel+`","value":"x"}]`),
		audittest.Refused(403, "no"))
	e := entriesOf(t, log.Text(), "secret/shop/db")[0].Explanation
	text, err := json.Marshal(e)
	if err != nil || strings.Contains(string(text), sentinel) || !strings.Contains(strings.Join(e.Problems, ""), "what was written is not shown") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestBrokenBody: a body whose JSON is broken counts as one that the log does not have.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("create", "ann", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"paused":true}}`)
	entries := entriesOf(t, strings.ReplaceAll(log.Text(), "true", "tru"), "deployment/shop/web")
	if _, err := json.Marshal(entries); err != nil || len(entries) != 1 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

// TestManyOperations: of a patch that is read operation by operation, the first 1,000 count.
func TestManyOperations(t *testing.T) {
	t.Parallel()
	const add, set = `{"op":"add","path":"/spec/x/y","value":1}`, `{"op":"replace","path":"/spec/v","value":"h"}`
	patch := "[" + strings.Repeat(add+",", 1000) + set + "]"
	var log audittest.Log
	log.Add("create", "ann", widgetWith("u", ``), audittest.Of("example.com", "widgets", "shop", "w"),
		audittest.Called(0, "hook", patch), audittest.Answer(widgetWith("u", ``)))
	e := entriesOf(t, log.Text(), "widget/shop/w")[0].Explanation
	problems := strings.Join(e.Problems, "\n")
	if got := writersOf(e, "spec.v"); got != "user" || !strings.Contains(problems, "only the first 1000 operations are applied") ||
		!strings.Contains(problems, "only the first 1000 operations of hook are compared") {
		t.Errorf("it is by %q, %s", got, problems)
	}
}
