package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// treeRow has an explanation and its tree.
type treeRow struct {
	row
	e       Explanation
	options TreeOptions
	want    string
}

func TestTree(t *testing.T) {
	t.Parallel()
	rows := append(titleTrees(), webhookTrees()...)
	rows = append(rows, callTrees()...)
	testtable.Run(t, append(rows, fieldTrees()...), func(t *testing.T, tc treeRow) {
		var got strings.Builder
		if err := tc.e.Tree(&got, tc.options); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimPrefix(tc.want, "\n"), got.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// requestOfAnn returns a request for pods/web.
func requestOfAnn(change func(*Request)) Request {
	q := Request{
		Operation: "CREATE", Resource: metav1.GroupVersionResource{Version: "v1", Resource: "pods"},
		Namespace: "shop", Name: "web", User: User{Name: "ann"},
	}
	if change != nil {
		change(&q)
	}
	return q
}

func titleTrees() []treeRow {
	const noWebhooks = "└─ no webhook was considered\n"
	titled := func(name, why, want string, change func(*Request)) treeRow {
		return treeRow{row: row{name, why}, e: Explanation{Request: requestOfAnn(change), Allowed: true}, want: want + ": admitted\n" + noWebhooks}
	}
	named := func(name, why, object, want string) treeRow {
		return titled(name, why, "CREATE pods"+want+" in shop by ann", func(q *Request) { q.Name, q.Object = "", json.RawMessage(object) })
	}
	return []treeRow{
		titled("title", "user, operation and object", "CREATE pods/web in shop by ann", nil),
		titled("group", "resources of different groups may share a name", "CREATE deployments.apps/web in shop by ann", func(q *Request) {
			q.Resource = metav1.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
		}),
		titled("subresource", "it comes last, as in URLs", "CREATE pods/web/exec in shop by ann", func(q *Request) { q.Subresource = "exec" }),
		titled("dry run", "dry run is shown", "CREATE pods/web in shop by ann (dry run)", func(q *Request) { q.DryRun = true }),
		titled("namespace", "the namespace is not repeated", "CREATE namespaces/shop by ann", func(q *Request) { q.Resource.Resource, q.Name = "namespaces", "shop" }),
		titled("no user", "the user is optional", "CREATE pods/web in shop", func(q *Request) { q.User = User{} }),
		named("generated name", "the object has the generated name", `{"metadata":{"name":"web-1","generateName":"web-"}}`, "/web-1"),
		named("name to come", "generateName is known", `{"metadata":{"generateName":"web-"}}`, "/web-"),
		named("no name", "options have no name", `{"kind":"PodExecOptions"}`, ""),
		named("no object", "an invalid object gives no error", `{"metadata":`, ""),
		{row{"denied", "status and warnings come first"}, Explanation{
			Request: requestOfAnn(nil), Status: &metav1.Status{Code: 403, Reason: "Forbidden", Message: "no"}, Warnings: []string{"careful"},
		}, TreeOptions{}, `
CREATE pods/web in shop by ann: denied
├─ 403 Forbidden: no
├─ warning: careful
└─ no webhook was considered
`},
		{row{"denied without a reason", "the reason is optional"}, Explanation{Request: requestOfAnn(nil), Status: &metav1.Status{Code: 422, Message: "no"}}, TreeOptions{}, `
CREATE pods/web in shop by ann: denied
├─ 422: no
└─ no webhook was considered
`},
		{row{"redacted and problems", "redacted and problems come last"}, Explanation{
			Request: requestOfAnn(nil), Allowed: true, Redacted: []string{"the data"}, Problems: []string{"a patch"},
			AuditAnnotations: []Annotation{{Key: "k/a", Value: "v"}}, Metrics: []Metric{{Name: "calls", Delta: 2}, {Name: "m", Labels: map[string]string{"b": "2", "a": "1"}, Delta: 1}},
		}, TreeOptions{Details: true}, `
CREATE pods/web in shop by ann: admitted
├─ no webhook was considered
├─ audit annotations
│  └─ k/a: v
├─ metrics
│  ├─ calls +2
│  └─ m{a="1",b="2"} +1
├─ not shown: the data
└─ not explained: a patch
`},
		{row{"colours", "each line resets its colour"}, Explanation{Request: requestOfAnn(nil), Allowed: true}, TreeOptions{Color: true},
			"\x1b[32mCREATE pods/web in shop by ann: admitted\x1b[0m\n└─ \x1b[2mno webhook was considered\x1b[0m\n"},
	}
}

// inRounds returns an admitted request with one webhook, with one record per
// mutating round.
func inRounds(rounds ...Webhook) Explanation {
	e := Explanation{Request: requestOfAnn(nil), Allowed: true}
	for i, w := range rounds {
		w.UID, w.Name, w.Configuration = "1", "a.example.com", "c"
		e.Rounds = append(e.Rounds, Round{Phase: mutating, Round: i, Webhooks: []Webhook{w}})
	}
	return e
}

func webhookTrees() []treeRow {
	skipped := Webhook{Stage: stageRules, Reason: "no rule matches", Hint: "add pods"}
	yes := true
	conditions := Webhook{Stage: stageConditions, Reason: "the condition \"b\" is false", Match: Match{
		Conditions: []Condition{{Name: "a", Expression: "1 == 1", Value: &yes, Cost: 3}, {Name: "b", Expression: "x", Error: "no x"}},
		Equivalent: true, Target: &Target{Kind: metav1.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}},
	}}
	again := inRounds(skipped, Webhook{Stage: stageReinvocation, Reason: "not due"})
	again.Rounds[1].Cause = "b changed it"
	return []treeRow{
		{row{"not called", "reason and hint on request"}, inRounds(skipped), TreeOptions{Hints: true}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: rules
      ├─ no rule matches
      └─ hint: add pods
`},
		{row{"in short", "one line per webhook"}, inRounds(skipped), TreeOptions{Short: true}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: rules: no rule matches
`},
		{row{"far off", "one line for a webhook that is for something else"}, inRounds(skipped), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: rules: no rule matches
`},
		{row{"a round without a call", "it changes nothing"}, again, TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: rules: no rule matches
`},
		{row{"round 1 with an error", "it ended the request"}, inRounds(skipped, Webhook{Stage: stageNamespaceSelector, Error: "gone"}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
├─ mutating, round 0
│  └─ a.example.com (c) not called: rules: no rule matches
└─ mutating, round 1
   └─ a.example.com (c) ended the request while it was matched
      └─ gone
`},
		{row{"evidence", "results of conditions are shown"}, inRounds(conditions), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: matchConditions
      ├─ the condition "b" is false
      ├─ matchCondition a is true: 1 == 1 (cost 3)
      ├─ matchCondition b failed: x
      │  └─ no x
      └─ its rules match an equivalent resource: it receives apps/v1 Deployment
`},
		{row{"error", "the error ended the request"}, inRounds(Webhook{Stage: stageNamespaceSelector, Error: "no namespace", Static: true}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c, static) ended the request while it was matched
      └─ no namespace
`},
		{row{"as before", "equal reasons are not repeated"}, inRounds(skipped, skipped), TreeOptions{Hints: true}, `
CREATE pods/web in shop by ann: admitted
├─ mutating, round 0
│  └─ a.example.com (c) not called: rules
│     ├─ no rule matches
│     └─ hint: add pods
└─ mutating, round 1
   └─ a.example.com (c) not called, as before
`},
		{row{"another reason than before", "the reason in round 1 differs"}, again, TreeOptions{Hints: true}, `
CREATE pods/web in shop by ann: admitted
├─ mutating, round 0
│  └─ a.example.com (c) not called: rules
│     ├─ no rule matches
│     └─ hint: add pods
└─ mutating, round 1: b changed it
   └─ a.example.com (c) not called: reinvocation
      └─ not due
`},
		{row{"round 1 in short", "no webhook was called in round 1"}, again, TreeOptions{Short: true}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: rules: no rule matches
`},
	}
}

func callTrees() []treeRow {
	call := Call{
		Outcome: "allowed", Seconds: 0.0025, URL: "https://a.svc:443/", Address: "127.0.0.1:8443", StatusCode: 200,
		Protocol: "HTTP/2.0", TLS: "TLS 1.3", Fault: "slow", Timing: &Timing{Connect: 0.0001, TLS: 0.001, Wait: 1.5, Read: 0.00001},
		Changes: []Change{
			{Op: "add", Path: "a", New: json.RawMessage(`1`)}, {Op: "remove", Path: "b", Old: json.RawMessage(`"x"`)},
			{Op: "replace", Path: "c", Old: json.RawMessage(`1`), New: json.RawMessage(`null`)}, {Op: "move", Path: "d[1]", From: "d[0]"},
		},
		Defaulted: []Change{{Op: "add", Path: "e", New: json.RawMessage(`{}`)}},
		Warnings:  []string{"careful"}, AuditAnnotations: map[string]string{"k": "v"}, Dropped: 3, Mutated: true,
	}
	failed := Call{Outcome: "failed open", Seconds: 1.234, Error: "refused", Policy: "Ignore", URL: "https://a.svc:443/", Timing: &Timing{}}
	return []treeRow{
		{row{"call", "connection, changes and warnings"}, inRounds(Webhook{Called: true, Call: &call}), TreeOptions{Details: true}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) allowed in 2.5ms
      ├─ the fault slow answered in its place
      ├─ POST https://a.svc:443/ at 127.0.0.1:8443: 200
      │  ├─ HTTP/2.0, TLS 1.3
      │  └─ connect 100µs, TLS 1ms, wait 1.5s, read 10µs
      ├─ + a: 1
      ├─ - b: "x"
      ├─ ~ c: 1 → null
      ├─ > d[1]: moved from d[0]
      ├─ defaults after it
      │  └─ + e: {}
      ├─ warning: careful
      ├─ audit annotation k: v
      └─ too many warnings or annotations: 3 were dropped
`},
		{row{"call in short", "changes and warnings"}, inRounds(Webhook{Called: true, Call: &call}), TreeOptions{Short: true}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) allowed in 2.5ms
      ├─ + a: 1
      ├─ - b: "x"
      ├─ ~ c: 1 → null
      ├─ > d[1]: moved from d[0]
      ├─ warning: careful
      └─ too many warnings or annotations: 3 were dropped
`},
		{row{"failed", "error and failurePolicy"}, inRounds(Webhook{Called: true, Call: &failed}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) failed open in 1.23s
      ├─ refused
      ├─ Ignore
      └─ POST https://a.svc:443/
`},
		{row{"not traced", "without a trace only Mutated is known"}, inRounds(Webhook{Called: true, Call: &Call{Outcome: "allowed", Mutated: true}}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) allowed
      └─ the object was changed
`},
		{row{"connection reused", "a reused connection has no connect time"}, inRounds(Webhook{Called: true, Call: &Call{
			Outcome: "allowed", URL: "u", Reused: true, Timing: &Timing{Wait: 0.001},
		}}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) allowed
      └─ POST u
         └─ connection reused, wait 1ms
`},
	}
}

func fieldTrees() []treeRow {
	hook := Writer{By: ByWebhook, Webhook: "a.example.com", Configuration: "c"}
	again, through, after := hook, hook, Writer{By: ByDefaulting, Webhook: "a.example.com", Configuration: "c"}
	again.Round, through.Through = 1, &metav1.GroupVersionKind{Version: "v2", Kind: "Pod"}
	one, two := json.RawMessage(`1`), json.RawMessage(`2`)
	e := Explanation{Request: requestOfAnn(nil), Allowed: true, Fields: []Field{
		{Path: "mine", Value: one, Writer: Writer{By: ByUser}},
		{Path: "old", Value: one, Writer: Writer{By: ByStored}},
		{Path: "known", Value: one, Writer: Writer{By: ByDefaulting}},
		{Path: "known too", Value: one, Writer: Writer{By: ByDefaulting}},
		{Path: "over", Value: one, Writer: Writer{By: ByDefaulting}, Earlier: []Write{{Writer: Writer{By: ByStored}, Value: two}}},
		{Path: "theirs", Value: two, Writer: again, Earlier: []Write{{Writer: Writer{By: ByUser}, Value: one}, {Writer: hook}}},
		{Path: "converted", Value: one, Writer: through},
		{Path: "after", Value: one, Writer: after},
		{Path: "name", Value: one, Writer: Writer{By: ByServer}},
		{Path: "moved", Value: one, Writer: Writer{By: ByConversion}},
		{Path: "new", Value: one, Writer: Writer{By: "another"}},
	}, Removed: []Field{{Path: "gone", Writer: hook, Earlier: []Write{{Writer: Writer{By: ByUser}, Value: one}}}},
		Fights: []Fight{{Path: "theirs", Writes: []Write{{Writer: hook, Value: one}, {Writer: again, Value: two}}}}}
	return []treeRow{
		{row{"fields of other writers", "fields of the user are omitted, defaults listed"}, e, TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
├─ no webhook was considered
├─ written by others than the user
│  ├─ over: 1 by defaulting
│  │  └─ before that 2 as it was stored
│  ├─ theirs: 2 by a.example.com in round 1
│  │  ├─ before that (nothing) by a.example.com
│  │  └─ before that 1 by the user
│  ├─ converted: 1 by a.example.com in v2
│  ├─ after: 1 by defaulting after a.example.com
│  ├─ name: 1 by the server
│  ├─ moved: 1 by conversion
│  ├─ new: 1 by another
│  ├─ gone: removed by a.example.com
│  │  └─ before that 1 by the user
│  └─ by defaulting: known, known too
└─ webhooks that overwrite each other
   └─ theirs
      ├─ 1 by a.example.com
      └─ 2 by a.example.com in round 1
`},
		{row{"no other writers", "nothing to list"}, Explanation{Request: requestOfAnn(nil), Allowed: true, Fields: e.Fields[:2]}, TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ no webhook was considered
`},
		{row{"fields", "fields of all writers"}, Explanation{
			Request: requestOfAnn(nil), Allowed: true, Fields: e.Fields[:3], Removed: e.Removed, Redacted: []string{"the data"},
			Rounds: []Round{{Phase: validating}}, Metrics: []Metric{{Name: "m"}},
		}, TreeOptions{Fields: true}, `
CREATE pods/web in shop by ann: admitted
├─ mine: 1 by the user
├─ old: 1 as it was stored
├─ known: 1 by defaulting
├─ gone: removed by a.example.com
│  └─ before that 1 by the user
└─ not shown: the data
`},
		{row{"no field", "the tree says that there are no fields"}, Explanation{Request: requestOfAnn(nil), Allowed: true}, TreeOptions{Fields: true}, `
CREATE pods/web in shop by ann: admitted
└─ the object has no fields
`},
	}
}

// TestTreeIsBounded covers a webhook that returns very many and very long
// texts.
func TestTreeIsBounded(t *testing.T) {
	t.Parallel()
	call := &Call{Outcome: "allowed", Error: strings.Repeat("é", 10_000)}
	for i := range 5000 {
		call.Changes = append(call.Changes, Change{Op: "add", Path: fmt.Sprintf("a[%d]", i), New: json.RawMessage(`1`)})
		call.Warnings = append(call.Warnings, "careful")
	}
	e := inRounds(Webhook{Called: true, Call: call})
	text := e.String()
	if lines := strings.Count(text, "\n"); lines > 4*maxChildren {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{"├─ and 4900 more\n", "└─ and 4900 more\n", "é… (20000 bytes)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	testtable.Run(t, []test{
		{row{"text", "printable text is not changed"}, `é "a" \ 日本`, `é "a" \ 日本`},
		{row{"sequence", "escape sequences are escaped"}, "\x1b[2J", `\x1b[2J`},
		{row{"lines", "line breaks are escaped"}, "a\r\n\tb", `a\r\n\tb`},
		{row{"direction", "direction overrides are escaped"}, "a\u202eb", `a\u202eb`},
		{row{"invisible", "invisible characters are escaped"}, "a\u200bb\u00a0c", `a\u200bb\u00a0c`},
		{row{"no text", "invalid UTF-8 is replaced"}, "a\xffb", "a\ufffdb"},
		{row{"long", "text is truncated between characters"}, "x" + strings.Repeat("é", 300), "x" + strings.Repeat("é", 249) + "… (601 bytes)"},
		{row{"long and no text", "invalid UTF-8 is truncated, too"}, strings.Repeat("\x80", 600), strings.Repeat("\ufffd", 496) + "… (600 bytes)"},
	}, func(t *testing.T, tc test) {
		if got := printable(tc.text); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	})
}

// TestTreeReturnsWriteErrors wants the writer's error.
func TestTreeReturnsWriteErrors(t *testing.T) {
	t.Parallel()
	if err := new(Explanation).Tree(full{}, TreeOptions{}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
