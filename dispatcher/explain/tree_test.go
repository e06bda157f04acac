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

// treeRow is an explanation and its tree.
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

// ofAnn is a request for pods/web.
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
	const nobody = "└─ no webhook was considered\n"
	titled := func(name, why, want string, change func(*Request)) treeRow {
		return treeRow{row: row{name, why}, e: Explanation{Request: requestOfAnn(change), Allowed: true}, want: want + ": admitted\n" + nobody}
	}
	named := func(name, why, object, want string) treeRow {
		return titled(name, why, "CREATE pods"+want+" in shop by ann", func(q *Request) { q.Name, q.Object = "", json.RawMessage(object) })
	}
	return []treeRow{
		titled("title", "who asks for what, and where", "CREATE pods/web in shop by ann", nil),
		titled("group", "many resources share a name", "CREATE deployments.apps/web in shop by ann", func(q *Request) {
			q.Resource = metav1.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
		}),
		titled("subresource", "it stands where paths have it", "CREATE pods/web/exec in shop by ann", func(q *Request) { q.Subresource = "exec" }),
		titled("dry run", "nothing will be stored", "CREATE pods/web in shop by ann (dry run)", func(q *Request) { q.DryRun = true }),
		titled("namespace", "that it is in itself says nothing", "CREATE namespaces/shop by ann", func(q *Request) { q.Resource.Resource, q.Name = "namespaces", "shop" }),
		titled("nobody", "tests leave users out", "CREATE pods/web in shop", func(q *Request) { q.User = User{} }),
		named("generated name", "the request has none", `{"metadata":{"name":"web-1","generateName":"web-"}}`, "/web-1"),
		named("name to come", "its beginning is known", `{"metadata":{"generateName":"web-"}}`, "/web-"),
		named("no name", "options of connections have none", `{"kind":"PodExecOptions"}`, ""),
		named("no object", "an explanation never fails", `{"metadata":`, ""),
		{row{"denied", "what the client hears comes first"}, Explanation{
			Request: requestOfAnn(nil), Status: &metav1.Status{Code: 403, Reason: "Forbidden", Message: "no"}, Warnings: []string{"careful"},
		}, TreeOptions{}, `
CREATE pods/web in shop by ann: denied
├─ 403 Forbidden: no
├─ warning: careful
└─ no webhook was considered
`},
		{row{"denied without a reason", "webhooks need not give one"}, Explanation{Request: requestOfAnn(nil), Status: &metav1.Status{Code: 422, Message: "no"}}, TreeOptions{}, `
CREATE pods/web in shop by ann: denied
├─ 422: no
└─ no webhook was considered
`},
		{row{"limits", "what is missing is said at the end"}, Explanation{
			Request: requestOfAnn(nil), Allowed: true, Redacted: []string{"the data"}, Problems: []string{"a patch"},
			AuditAnnotations: []Annotation{{Key: "k/a", Value: "v"}}, Metrics: []Metric{{Name: "calls", Delta: 2}, {Name: "m", Labels: map[string]string{"b": "2", "a": "1"}, Delta: 1}},
		}, TreeOptions{}, `
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
		{row{"colours", "they end where they begin"}, Explanation{Request: requestOfAnn(nil), Allowed: true}, TreeOptions{Color: true},
			"\x1b[32mCREATE pods/web in shop by ann: admitted\x1b[0m\n└─ \x1b[2mno webhook was considered\x1b[0m\n"},
	}
}

// inRounds is an admitted request with a webhook in mutating rounds.
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
		{row{"not called", "the reason and what could be done about it"}, inRounds(skipped), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: rules
      ├─ no rule matches
      └─ hint: add pods
`},
		{row{"in short", "one line is enough"}, inRounds(skipped), TreeOptions{Short: true}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: rules: no rule matches
`},
		{row{"evidence", "conditions are shown with what they gave"}, inRounds(conditions), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) not called: matchConditions
      ├─ the condition "b" is false
      ├─ matchCondition a is true: 1 == 1 (cost 3)
      ├─ matchCondition b failed: x
      │  └─ no x
      └─ its rules match an equivalent resource: it is shown apps/v1 Deployment
`},
		{row{"error", "it ended the request"}, inRounds(Webhook{Stage: stageNamespaceSelector, Error: "no namespace", Static: true}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c, static) ended the request while it was matched
      └─ no namespace
`},
		{row{"as before", "round 1 repeats what was said"}, inRounds(skipped, skipped), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
├─ mutating, round 0
│  └─ a.example.com (c) not called: rules
│     ├─ no rule matches
│     └─ hint: add pods
└─ mutating, round 1
   └─ a.example.com (c) not called, as before
`},
		{row{"otherwise than before", "round 1 has a reason of its own"}, again, TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
├─ mutating, round 0
│  └─ a.example.com (c) not called: rules
│     ├─ no rule matches
│     └─ hint: add pods
└─ mutating, round 1: b changed it
   └─ a.example.com (c) not called: reinvocation
      └─ not due
`},
		{row{"round 1 in short", "nobody was called again"}, again, TreeOptions{Short: true}, `
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
		{row{"call", "the way there, what it did and what it said"}, inRounds(Webhook{Called: true, Call: &call}), TreeOptions{}, `
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
		{row{"call in short", "what it did and what it said"}, inRounds(Webhook{Called: true, Call: &call}), TreeOptions{Short: true}, `
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
		{row{"failed", "what was made of it"}, inRounds(Webhook{Called: true, Call: &failed}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) failed open in 1.23s
      ├─ refused
      ├─ Ignore
      └─ POST https://a.svc:443/
`},
		{row{"not watched", "that it changed the object is known all the same"}, inRounds(Webhook{Called: true, Call: &Call{Outcome: "allowed", Mutated: true}}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) allowed in 0s
      └─ the object was changed
`},
		{row{"connection reused", "connecting took no time"}, inRounds(Webhook{Called: true, Call: &Call{
			Outcome: "allowed", URL: "u", Reused: true, Timing: &Timing{Wait: 0.001},
		}}), TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ mutating, round 0
   └─ a.example.com (c) allowed in 0s
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
		{Path: "new", Value: one, Writer: Writer{By: "somebody"}},
	}, Removed: []Field{{Path: "gone", Writer: hook, Earlier: []Write{{Writer: Writer{By: ByUser}, Value: one}}}},
		Fights: []Fight{{Path: "theirs", Writes: []Write{{Writer: hook, Value: one}, {Writer: again, Value: two}}}}}
	return []treeRow{
		{row{"others' fields", "what the author and defaults wrote is known"}, e, TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
├─ no webhook was considered
├─ written by others than the author of the request
│  ├─ over: 1 by defaulting
│  │  └─ before that 2 as it was stored
│  ├─ theirs: 2 by a.example.com in round 1
│  │  ├─ before that (nothing) by a.example.com
│  │  └─ before that 1 by the author
│  ├─ converted: 1 by a.example.com in v2
│  ├─ after: 1 by defaulting after a.example.com
│  ├─ name: 1 by the server
│  ├─ moved: 1 by conversion
│  ├─ new: 1 by somebody
│  ├─ gone: removed by a.example.com
│  │  └─ before that 1 by the author
│  └─ by defaulting: known, known too
└─ webhooks that overwrite each other
   └─ theirs
      ├─ 1 by a.example.com
      └─ 2 by a.example.com in round 1
`},
		{row{"fields of nobody else", "then there is nothing to say"}, Explanation{Request: requestOfAnn(nil), Allowed: true, Fields: e.Fields[:2]}, TreeOptions{}, `
CREATE pods/web in shop by ann: admitted
└─ no webhook was considered
`},
		{row{"fields", "all that are asked for, by whomever"}, Explanation{
			Request: requestOfAnn(nil), Allowed: true, Fields: e.Fields[:3], Removed: e.Removed, Redacted: []string{"the data"},
			Rounds: []Round{{Phase: validating}}, Metrics: []Metric{{Name: "m"}},
		}, TreeOptions{Fields: true}, `
CREATE pods/web in shop by ann: admitted
├─ mine: 1 by the author
├─ old: 1 as it was stored
├─ known: 1 by defaulting
├─ gone: removed by a.example.com
│  └─ before that 1 by the author
└─ not shown: the data
`},
		{row{"no field", "silence would not be an answer"}, Explanation{Request: requestOfAnn(nil), Allowed: true}, TreeOptions{Fields: true}, `
CREATE pods/web in shop by ann: admitted
└─ nothing is there, and nothing was
`},
	}
}

// TestTreeIsBounded: whatever webhooks do, somebody has to read it.
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
		{row{"text", "it is what it is"}, `é "a" \ 日本`, `é "a" \ 日本`},
		{row{"sequence", "a terminal must not obey"}, "\x1b[2J", `\x1b[2J`},
		{row{"lines", "a line is one"}, "a\r\n\tb", `a\r\n\tb`},
		{row{"direction", "text must not run backwards"}, "a\u202eb", `a\u202eb`},
		{row{"invisible", "what cannot be seen might be missed"}, "a\u200bb\u00a0c", `a\u200bb\u00a0c`},
		{row{"no text", "bytes that are none stand out"}, "a\xffb", "a\ufffdb"},
		{row{"long", "it is cut between characters"}, "x" + strings.Repeat("é", 300), "x" + strings.Repeat("é", 249) + "… (601 bytes)"},
		{row{"long and no text", "there is no character to cut before"}, strings.Repeat("\x80", 600), strings.Repeat("\ufffd", 496) + "… (600 bytes)"},
	}, func(t *testing.T, tc test) {
		if got := printable(tc.text); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	})
}

// TestTreeSaysThatItCannotBeWritten: nobody would notice otherwise.
func TestTreeSaysThatItCannotBeWritten(t *testing.T) {
	t.Parallel()
	if err := new(Explanation).Tree(full{}, TreeOptions{}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
