package tally_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func count(t *testing.T, log *audittest.Log) *tally.Report {
	t.Helper()
	counts := tally.New()
	_, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log.Text())},
		func(e *auditlog.Event) error {
			counts.Add(e)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return counts.Report()
}

const (
	patch   = `[{"op":"add","path":"/metadata/labels/a","value":"b"}]`
	failure = "validation.policy.admission.k8s.io/validation_failure"
)

type webhookRow struct {
	row
	edits []audittest.Edit
	want  []tally.Webhook
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	mutating := func(name string) tally.Webhook {
		return tally.Webhook{Configuration: name, Webhook: name, Phase: "mutating", Calls: 1}
	}
	changed, failed, slow, denied := mutating("a"), mutating("a"), mutating("a"), mutating("a")
	changed.Changes, failed.FailedOpen = 1, 1
	slow.Slow, slow.Slowest = 1, 1200*time.Millisecond
	denied.Denials = 1
	again := tally.Webhook{Configuration: "a", Webhook: "a", Phase: "mutating", Calls: 2, Changes: 2, Again: 1, AgainChanges: 1}
	closed := mutating("a")
	closed.FailedClosed = 1
	testtable.Run(t, []webhookRow{
		{row{"change", "S-313"}, []audittest.Edit{audittest.Called(0, "a", patch)}, []tally.Webhook{changed}},
		{row{"no change", "S-313"}, []audittest.Edit{audittest.Called(0, "a", "")}, []tally.Webhook{mutating("a")}},
		{row{"second round", "the key has the round"}, []audittest.Edit{audittest.Called(0, "a", patch), audittest.CalledIn(1, 0, "a", patch)}, []tally.Webhook{again}},
		{row{"failed open", "S-315: the key of the mutation has the configuration"}, []audittest.Edit{
			audittest.Called(0, "a", ""), audittest.Annotated("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", "a"),
		}, []tally.Webhook{failed}},
		{
			row{"validating failed open", "S-315: the log has the name only"},
			[]audittest.Edit{audittest.Annotated("failed-open.validating.webhook.admission.k8s.io/round_0_index_1", "v")},
			[]tally.Webhook{{Webhook: "v", Phase: "validating", Calls: 1, FailedOpen: 1}},
		},
		{
			row{"denied", "the message is the server's"},
			[]audittest.Edit{audittest.Refused(403, `admission webhook "v" denied the request without explanation`)},
			[]tally.Webhook{{Webhook: "v", Phase: "validating", Denials: 1}},
		},
		{
			row{"denied by a mutating one", "it left an annotation"},
			[]audittest.Edit{audittest.Called(0, "a", ""), audittest.Refused(403, `admission webhook "a" denied the request: no`)},
			[]tally.Webhook{denied},
		},
		{
			row{"failed closed", "the message is the server's"},
			[]audittest.Edit{audittest.Called(0, "a", ""), audittest.Refused(500, `Internal error occurred: failed calling webhook "a": failed to call webhook: refused`)},
			[]tally.Webhook{closed},
		},
		{row{"another message", "a webhook may quote the server's words"}, []audittest.Edit{audittest.Refused(403, `pods "x" is forbidden: admission webhook "v" denied the request: no`)}, []tally.Webhook{}},
		{row{"admitted", "a message of a success is none of a webhook"}, []audittest.Edit{audittest.Refused(200, `admission webhook "v" denied the request: no`)}, []tally.Webhook{}},
		{row{"slow", "servers log the latency of slow requests"}, []audittest.Edit{audittest.Called(0, "a", ""), audittest.Annotated("apiserver.latency.k8s.io/mutating-webhook", "1.2s")}, []tally.Webhook{slow}},
	}, func(t *testing.T, tc webhookRow) {
		var log audittest.Log
		log.Add("update", "ann", `{}`, tc.edits...)
		if d := cmp.Diff(tc.want, count(t, &log).Webhooks); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

type policyRow struct {
	row
	edit audittest.Edit
	want []tally.Policy
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	const one = `{"message":"m","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Audit"]}`
	testtable.Run(t, []policyRow{
		{row{"one failure", "servers up to 1.36 log one"}, audittest.Annotated(failure, "["+one+"]"), []tally.Policy{{Policy: "p", Binding: "b", Failures: 1}}},
		{row{"several", "servers from 1.37 on"}, audittest.Annotated(failure, "["+one+","+one+","+strings.Replace(one, `"Audit"`, `"Warn","Audit"`, 1)+"]"), []tally.Policy{{Policy: "p", Binding: "b", Failures: 3, Warned: 1}}},
		{row{"documented", "the index is a string in the documentation"}, audittest.Annotated(failure, "["+strings.Replace(one, ":1,", `:"1",`, 1)+"]"), []tally.Policy{{Policy: "p", Binding: "b", Failures: 1}}},
		{row{"no list", "a single failure"}, audittest.Annotated(failure, one), []tally.Policy{{Policy: "p", Binding: "b", Failures: 1}}},
		{row{"denied", "the message has both names"}, audittest.Refused(422, `pods "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`), []tally.Policy{{Policy: "p", Binding: "b", Denials: 1}}},
		{row{"not configured", "without a binding"}, audittest.Refused(422, `pods "x" is forbidden: ValidatingAdmissionPolicy 'p' denied request: no`), []tally.Policy{{Policy: "p", Denials: 1}}},
	}, func(t *testing.T, tc policyRow) {
		var log audittest.Log
		log.Add("update", "ann", `{}`, tc.edit)
		if d := cmp.Diff(tc.want, count(t, &log).Policies); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

// TestReport: the rest of a report.
func TestReport(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("create", "ann", `{}`, audittest.Called(0, "a", patch), audittest.Called(1, "idle", ""), audittest.Annotated("a/reason", "secret text"))
	log.Add("update", "bob", `{}`, audittest.Query("fieldManager=tool"), audittest.Called(0, "a", ""), audittest.Annotated("pod-security.kubernetes.io/x", "y"))
	log.Add("update", "bob", `{}`, audittest.Query("dryRun=All"))
	log.Add("update", "bob", `{}`, audittest.AtMetadata(), audittest.Refused(409, "conflict"))
	log.Add("update", "bob", ``, audittest.Annotated("audit.k8s.io/truncated", "true"), audittest.Query("fieldManager=tool"))
	r := count(t, &log)
	writers := []tally.Writer{{User: "bob", Manager: "tool", Writes: 2}, {Webhook: "a/a", Writes: 1}, {User: "ann", Manager: "manager", Writes: 1}}
	for name, d := range map[string]string{
		"idle":        cmp.Diff([]string{"idle/idle"}, r.Idle),
		"annotations": cmp.Diff([]tally.Annotation{{Owner: "a", Key: "reason", Events: 1}}, r.Annotations),
		"objects":     cmp.Diff([]tally.Object{{Resource: "deployments.apps", Namespace: "shop", Name: "web", Writes: 3, Writers: writers}}, r.Objects),
		"writers":     cmp.Diff(writers, r.Writers),
		"levels":      cmp.Diff("map[Metadata:1 RequestResponse:4] 5 1", fmt.Sprint(r.Levels, r.Requests, r.Truncated)),
	} {
		if d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
	}
}
