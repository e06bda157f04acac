package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/record"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// recorded records the requests of a log.
func recorded(t *testing.T, log string, redact ...explain.Path) ([]*corpus.Entry, *record.Report) {
	t.Helper()
	var all []*corpus.Entry
	r, err := record.New(record.Config{Redact: redact, Write: func(e *corpus.Entry) error {
		all = append(all, e)
		return e.Validate()
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log)}, r.Add); err != nil {
		t.Fatal(err)
	}
	return all, r.Report()
}

// config returns a ConfigMap that is stored in a version.
func config(version, data string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop","uid":"u","resourceVersion":%q,"labels":{"a":"b"}},"data":{"k":%q}}`, version, data)
}

// widget returns a custom resource with a size.
func widget(size string) string {
	return `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"c","namespace":"shop"},"spec":{` + size + `}}`
}

var (
	ofConfig = audittest.Of("", "configmaps", "shop", "c")
	ofWidget = audittest.Of("example.com", "widgets", "shop", "c")
	ofPod    = audittest.Of("", "pods", "shop", "p")
)

// code makes an event with a code, and without a message.
func code(code int32) audittest.Edit {
	return func(e *auditv1.Event) { e.ResponseStatus.Code = code }
}

// podDefaults end a pod with one container, as a server stores it.
const podDefaults = `,"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler","enableServiceLinks":true},"status":{}}`

type reasonRow struct {
	row
	// want is the reason of the last event; empty if it is recorded.
	want   record.Reason
	events func(*audittest.Log)
}

// TestReasons: what cannot be known is left out, and counts for a reason.
func TestReasons(t *testing.T) {
	t.Parallel()
	created := func(l *audittest.Log) { l.Add("create", "ann", config("1", "v"), ofConfig, code(201)) }
	after := func(verb, body string, edits ...audittest.Edit) func(*audittest.Log) {
		return func(l *audittest.Log) {
			created(l)
			l.Add(verb, "ann", body, append([]audittest.Edit{ofConfig}, edits...)...)
		}
	}
	only := func(verb, body string, edits ...audittest.Edit) func(*audittest.Log) {
		return func(l *audittest.Log) { l.Add(verb, "ann", body, append([]audittest.Edit{ofConfig}, edits...)...) }
	}
	denied := audittest.Refused(403, `admission webhook "guard" denied the request: no`)
	testtable.Run(t, []reasonRow{
		{row{"create", "the log has the object"}, "", only("create", config("", "v"), code(201))},
		{row{"denied", "a webhook decided"}, "", only("create", config("", "v"), denied)},
		{row{"failed", "a call failed, and the request with it"}, "", only("create", config("", "v"), audittest.Refused(500, `Internal error occurred: failed calling webhook "guard": boom`))},
		{row{"policy", "a policy decided"}, "", only("create", config("", "v"), audittest.Refused(422, `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`))},
		{row{"update", "the last answer is the old object"}, "", after("update", config("1", "w"))},
		{row{"delete", "the last answer is the old object"}, "", after("delete", "")},
		{row{"merge patch", "any type of patch means the same"}, "", after("patch", `{"data":{"k":"w"}}`, audittest.Answer(config("2", "w")))},
		{row{"JSON patch", "it is a list"}, "", after("patch", `[{"op":"replace","path":"/data/k","value":"w"}]`, audittest.Answer(config("2", "w")))},
		{row{"apply creates", "it has the whole object"}, "", only("patch", config("", "v"), audittest.Query("fieldManager=m"), code(201))},
		{row{"put creates", "some resources allow it"}, "", only("update", config("", "v"), code(201))},
		{row{"after a failure", "nothing was stored"}, "", func(l *audittest.Log) {
			after("update", config("1", "x"), denied)(l)
			l.Add("update", "ann", config("1", "w"), ofConfig)
		}},
		{row{"after a dry run", "nothing was stored"}, "", func(l *audittest.Log) {
			after("delete", `{"apiVersion":"v1","kind":"DeleteOptions","dryRun":["All"]}`, audittest.Query("gracePeriodSeconds=1"))(l)
			l.Add("update", "ann", config("1", "w"), ofConfig)
		}},
		{row{"eviction", "the body is no object that is stored"}, "", func(l *audittest.Log) {
			l.Add("create", "ann", `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p","namespace":"shop"}}`, ofPod, audittest.Subresource("eviction"), code(201), audittest.Answer(`{"kind":"Status","apiVersion":"v1","status":"Success"}`))
		}},
		{row{"custom labels", "metadata has no defaults"}, "", func(l *audittest.Log) {
			l.Add("create", "ann", widget(`"size":1`), ofWidget, code(201))
			l.Add("patch", "ann", `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`, ofWidget, denied)
		}},
		{row{"empty labels", "they are not stored"}, "", func(l *audittest.Log) {
			l.Add("create", "ann", widget(`"size":1`), ofWidget, code(201))
			l.Add("patch", "ann", `{"metadata":{"labels":{}}}`, ofWidget, audittest.Answer(widget(`"size":1`)))
		}},
		{row{"metadata", "there are no bodies"}, record.Metadata, only("create", config("", "v"), audittest.AtMetadata())},
		{row{"truncated", "the event was too large"}, record.Truncated, only("create", "", audittest.Annotated("audit.k8s.io/truncated", "true"))},
		{row{"no body", "such as one that was not decoded"}, record.NoBody, only("create", "")},
		{row{"no response", "an event without a code"}, record.NoResponse, only("create", config("", "v"), code(0))},
		{row{"first update", "the log begins later"}, record.NoOldObject, only("update", config("1", "v"))},
		{row{"recreated", "the object was deleted"}, record.NoOldObject, func(l *audittest.Log) {
			after("delete", "")(l)
			l.Add("update", "ann", config("1", "w"), ofConfig)
		}},
		{row{"after a collection", "it may have been among those deleted"}, record.NoOldObject, func(l *audittest.Log) {
			after("deletecollection", "", audittest.Of("", "configmaps", "shop", ""))(l)
			l.Add("update", "ann", config("1", "w"), ofConfig)
		}},
		{row{"after an error", "it may have been stored"}, record.NoOldObject, func(l *audittest.Log) {
			after("update", config("1", "x"), audittest.Refused(504, "timeout"))(l)
			l.Add("update", "ann", config("1", "w"), ofConfig)
		}},
		{row{"after another subresource", "it changes the object in its own way"}, record.NoOldObject, func(l *audittest.Log) {
			l.Add("create", "ann", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":{"containers":[]}}`, ofPod, code(201))
			l.Add("create", "ann", `{"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"}}`, ofPod, audittest.Subresource("binding"), audittest.Answer(`{"kind":"Status","apiVersion":"v1"}`))
			l.Add("delete", "ann", "", ofPod)
		}},
		{row{"other version", "the update was made for another version of the object"}, record.OtherWrite, after("update", config("2", "w"))},
		{row{"other object", "the deleted object has another uid"}, record.OtherWrite, after("delete", "", audittest.Answer(`{"kind":"Status","apiVersion":"v1","status":"Success","details":{"uid":"other"}}`))},
		{row{"list in a patch", "a merge patch replaces it, a strategic one merges it"}, record.PatchType, func(l *audittest.Log) {
			l.Add("create", "ann", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":{"containers":[{"name":"a","image":"b","tty":true}]}}`, ofPod, code(201))
			l.Add("patch", "ann", `{"spec":{"containers":[{"name":"a","image":"c"}]}}`, ofPod, denied)
		}},
		{row{"list in a patch, answered", "the answer tells which it was"}, "", func(l *audittest.Log) {
			l.Add("create", "ann", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":{"containers":[{"name":"a","image":"b","tty":true}]}}`, ofPod, code(201))
			l.Add("patch", "ann", `{"spec":{"containers":[{"name":"a","image":"c"}]}}`, ofPod, audittest.Answer(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":{"containers":[{"name":"a","image":"c"`+podDefaults))
		}},
		{row{"list in a patch that is equal", "each type has the same result"}, "", func(l *audittest.Log) {
			l.Add("create", "ann", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":{"containers":[{"name":"a","image":"b"}]}}`, ofPod, code(201))
			l.Add("patch", "ann", `{"metadata":{"annotations":{"a":"[1]"}}}`, ofPod, denied)
		}},
		{row{"other result", "the log lacks a write in between"}, record.PatchResult, after("patch", `{"data":{"k":"w"}}`, audittest.Answer(config("2", "x")))},
		{row{"not a patch", "it does not apply"}, record.PatchResult, after("patch", `[{"op":"remove","path":"/none"}]`)},
		{row{"custom apply", "the defaults are not known"}, record.Defaults, func(l *audittest.Log) {
			l.Add("patch", "ann", widget(`"size":1`), ofWidget, audittest.Query("fieldManager=m"), code(201))
		}},
		{row{"custom patch", "the answer has a default"}, record.Defaults, func(l *audittest.Log) {
			l.Add("create", "ann", widget(`"size":1`), ofWidget, code(201))
			l.Add("patch", "ann", `{"spec":{"part":{}}}`, ofWidget, audittest.Answer(widget(`"size":1,"part":{"colour":"red"}`)))
		}},
		{row{"denied custom patch", "there is no answer that shows the defaults"}, record.Defaults, func(l *audittest.Log) {
			l.Add("create", "ann", widget(`"size":1`), ofWidget, code(201))
			l.Add("patch", "ann", `{"spec":{"size":2}}`, ofWidget, denied)
		}},
		{row{"reset", "the endpoint does not store what was sent"}, record.Changed, after("update", config("1", "w"), audittest.Answer(config("2", "v")))},
		{row{"denied reset", "validating webhooks did not see the status"}, record.Changed, func(l *audittest.Log) {
			l.Add("create", "ann", strings.Replace(widget(`"size":1`), "}}", `},"status":{"ready":true}}`, 1), ofWidget, denied)
		}},
		{row{"denied status", "validating webhooks did not see the rest"}, record.Changed, func(l *audittest.Log) {
			l.Add("create", "ann", widget(`"size":1`), ofWidget, code(201))
			l.Add("update", "ann", widget(`"size":2`), ofWidget, audittest.Subresource("status"), denied)
		}},
		{row{"collection", "the log has no members"}, record.Collection, only("deletecollection", "")},
		{row{"connection", "the log has no options"}, record.Connection, func(l *audittest.Log) { l.Add("create", "ann", "", ofPod, audittest.Subresource("exec")) }},
		{row{"scale", "the old Scale is made of the Deployment"}, record.Subresource, func(l *audittest.Log) {
			l.Add("create", "ann", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"}}`, code(201))
			l.Add("update", "ann", `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"}}`, audittest.Subresource("scale"))
		}},
		{row{"other apiVersion", "a custom resource is not converted"}, record.Version, func(l *audittest.Log) {
			l.Add("create", "ann", widget(`"size":1`), ofWidget, code(201))
			l.Add("update", "ann", strings.Replace(widget(`"size":1`), "/v1", "/v2", 1), ofWidget, func(e *auditv1.Event) { e.ObjectRef.APIVersion = "v2" })
		}},
		{row{"secret", "its data stays out"}, record.Confidential, only("create", `{"apiVersion":"v1","kind":"Secret"}`, audittest.Of("", "secrets", "shop", "c"))},
		{row{"token", "it stays out"}, record.Confidential, only("create", `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest"}`, audittest.Of("", "serviceaccounts", "shop", "c"), audittest.Subresource("token"))},
		{row{"twice", "the same log was given twice"}, record.Repeated, func(l *audittest.Log) {
			created(l)
			l.Add("create", "ann", config("1", "v"), ofConfig, func(e *auditv1.Event) { e.AuditID = "id-1" })
		}},
		{row{"no object", "the body is something else"}, record.Invalid, only("create", `[]`, code(201))},
		{row{"unauthenticated", "before admission"}, record.Unauthorized, only("create", config("", "v"), audittest.Refused(401, "Unauthorized"))},
		{row{"unauthorized", "before admission"}, record.Unauthorized, only("create", config("", "v"), audittest.Refused(403, `configmaps is forbidden: User "ann" cannot create resource "configmaps" in API group "" in the namespace "shop"`))},
		{row{"conflict", "between the phases"}, record.Conflict, after("update", config("1", "w"), audittest.Refused(409, "the object has been modified"))},
		{row{"not valid", "between the phases"}, record.NotValid, only("create", config("", "v"), audittest.Refused(422, `ConfigMap "c" is invalid: data: Invalid value`))},
		{row{"quota", "another plugin"}, record.OtherRefusal, only("create", config("", "v"), audittest.Refused(403, `configmaps "c" is forbidden: exceeded quota: q`))},
		{row{"overloaded", "nothing to do with the request"}, record.ServerError, only("create", config("", "v"), audittest.Refused(429, "too many requests"))},
	}, func(t *testing.T, tc reasonRow) {
		var log audittest.Log
		tc.events(&log)
		entries, report := recorded(t, log.Text())
		var event auditv1.Event
		if err := json.Unmarshal([]byte(log.Lines()[len(log.Lines())-1]), &event); err != nil {
			t.Fatal(err)
		}
		last := string(event.AuditID)
		var got record.Reason
		for _, l := range report.Left {
			if l.Example == last {
				got = l.Reason
			}
			if l.Text == "" || l.Requests == 0 {
				t.Errorf("%+v", l)
			}
		}
		if got == "" && entries[len(entries)-1].ID != last {
			t.Errorf("the last entry is %s", entries[len(entries)-1].ID)
		}
		if got != tc.want || report.Recorded != len(entries) || report.Requests != len(log.Lines()) {
			t.Errorf("got %q, want %q: %+v", got, tc.want, report)
		}
	})
}

type answerRow struct {
	row
	edits []audittest.Edit
	want  []string
}

// TestAnswers: the answers are those that the log has, and no others.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const patch = `[{"op":"add","path":"/metadata/labels/team","value":"a"}]`
	denied := audittest.Refused(403, `admission webhook "guard" denied the request: no`)
	testtable.Run(t, []answerRow{
		{row{"none", "validating webhooks that allow leave nothing"}, nil, nil},
		{row{"allowed", "a mutating webhook that changed nothing"}, []audittest.Edit{audittest.Called(0, "team", "")}, []string{`mutating team/team 0 allowed {"allowed":true}`}},
		{row{"patched", "in both rounds"}, []audittest.Edit{audittest.Called(0, "team", patch), audittest.CalledIn(1, 0, "team", "")}, []string{
			`mutating team/team 0 allowed {"allowed":true,"patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscy90ZWFtIiwidmFsdWUiOiJhIn1d","patchType":"JSONPatch"}`,
			`mutating team/team 1 allowed {"allowed":true}`,
		}},
		{row{"failed open", "in both phases"}, []audittest.Edit{
			audittest.Called(0, "team", ""), audittest.Annotated("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", "team"),
			audittest.Annotated("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "guard"),
		}, []string{`mutating team/team 0 failed open `, `validating /guard 0 failed open `}},
		{row{"denied", "by a validating webhook"}, []audittest.Edit{audittest.Called(0, "team", ""), denied}, []string{
			`mutating team/team 0 allowed {"allowed":true}`, `validating /guard 0 rejected {"allowed":false,"status":{"metadata":{},"status":"Failure","message":"no","code":403}}`,
		}},
		{row{"denied after a change", "the webhook of that name that changed the object did not deny it"}, []audittest.Edit{audittest.Called(0, "guard", patch), denied}, []string{
			`mutating guard/guard 0 allowed {"allowed":true,"patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscy90ZWFtIiwidmFsdWUiOiJhIn1d","patchType":"JSONPatch"}`,
			`validating /guard 0 rejected {"allowed":false,"status":{"metadata":{},"status":"Failure","message":"no","code":403}}`,
		}},
		{row{"ambiguous", "the last mutating webhook has the name of the one that denied"}, []audittest.Edit{audittest.Called(0, "team", ""), audittest.Called(1, "guard", ""), denied}, []string{`mutating team/team 0 allowed {"allowed":true}`}},
		{row{"failed closed", "the call failed"}, []audittest.Edit{audittest.Refused(500, `Internal error occurred: failed calling webhook "guard": failed to call webhook: boom`)}, []string{`validating /guard 0 failed closed failed calling webhook "guard": failed to call webhook: boom`}},
		{row{"no patch", "the log does not have what was changed"}, []audittest.Edit{audittest.Annotated("mutation.webhook.admission.k8s.io/round_0_index_0", `{"configuration":"team","webhook":"team","mutated":true}`)}, nil},
	}, func(t *testing.T, tc answerRow) {
		var log audittest.Log
		log.Add("create", "ann", config("", "v"), append([]audittest.Edit{ofConfig}, append([]audittest.Edit{
			audittest.Answer(strings.Replace(config("1", "v"), `"a":"b"`, `"a":"b","team":"a"`, 1)),
		}, tc.edits...)...)...)
		entries, report := recorded(t, log.Text())
		if len(entries) != 1 {
			t.Fatalf("%+v", report)
		}
		var got []string
		for _, a := range entries[0].Answers {
			got = append(got, fmt.Sprintf("%s %s/%s %d %s %s%s", a.Phase, a.Configuration, a.Webhook, a.Round, a.Outcome, a.Response, a.Error))
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

// TestEntry looks at all of an entry.
func TestEntry(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("create", "ann", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop","labels":{"guarded":"yes"}}}`, audittest.Of("", "namespaces", "", "shop"), code(201))
	log.Add("create", "ann", config("", "correct-horse"), ofConfig, audittest.Query("dryRun=All&fieldManager=m&fieldValidation=Strict"),
		audittest.Annotated("guard.example.com/why", "it is correct-horse"), audittest.Annotated("pod-security.kubernetes.io/enforce-policy", "p"),
		audittest.Refused(403, `admission webhook "guard" denied the request: not correct-horse`),
		func(e *auditv1.Event) {
			e.User.UID, e.User.Groups, e.User.Extra = "42", []string{"g"}, map[string]authenticationv1.ExtraValue{"k": {"v"}}
		})
	path, err := explain.ParsePath("data.k")
	if err != nil {
		t.Fatal(err)
	}
	entries, report := recorded(t, log.Text(), path)
	if len(entries) != 2 || report.Denied != 1 || report.Redacted != 1 {
		t.Fatalf("%+v", report)
	}
	text, err := json.Marshal(entries[1])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"apiVersion":"gatehouse/v1alpha1","kind":"RecordedRequest","id":"id-2","time":"2026-11-26T10:00:05.000000Z","source":"audit","origin":"standard input:2",` +
		`"review":{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"id-2","kind":{"group":"","version":"v1","kind":"ConfigMap"},"resource":{"group":"","version":"v1","resource":"configmaps"},` +
		`"requestKind":{"group":"","version":"v1","kind":"ConfigMap"},"requestResource":{"group":"","version":"v1","resource":"configmaps"},"name":"c","namespace":"shop","operation":"CREATE",` +
		`"userInfo":{"username":"ann","uid":"42","groups":["g"],"extra":{"k":["v"]}},` +
		`"object":{"apiVersion":"v1","data":{"k":"[redacted]"},"kind":"ConfigMap","metadata":{"labels":{"a":"b"},"name":"c","namespace":"shop","resourceVersion":"","uid":"u"}},"oldObject":null,` +
		`"dryRun":true,"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1","dryRun":["All"],"fieldManager":"m","fieldValidation":"Strict"}}},` +
		`"namespaceLabels":{"guarded":"yes"},` +
		`"answers":[{"phase":"validating","configuration":"","webhook":"guard","outcome":"rejected","response":{"allowed":false,"status":{"metadata":{},"status":"Failure","message":"not [redacted]","code":403}}}],` +
		`"verdict":{"allowed":false,"status":{"metadata":{},"status":"Failure","message":"admission webhook \"guard\" denied the request: not [redacted]","code":403},"auditAnnotations":{"guard.example.com/why":"it is [redacted]"}},` +
		`"redacted":["/review/request/object/data/k","/answers/0/response/status/message","/verdict/status/message","/verdict/auditAnnotations/guard.example.com~1why"]}`
	if d := cmp.Diff(want, string(text)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestWriteError: an error of the corpus ends the recording.
func TestWriteError(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	r, err := record.New(record.Config{Write: func(*corpus.Entry) error { return full }})
	if err != nil {
		t.Fatal(err)
	}
	var log audittest.Log
	log.Add("create", "ann", config("", "v"), ofConfig, code(201))
	_, err = auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log.Text())}, r.Add)
	if !errors.Is(err, full) || r.Report().Recorded != 0 {
		t.Errorf("%v, %+v", err, r.Report())
	}
}
