package model

import (
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestPredict compares predictions with expected outcomes, of which the reports
// are left out.
func TestPredict(t *testing.T) {
	t.Parallel()
	sound := webhook(Webhook{Name: "sound", Role: "sound", Revision: revisionThat(yes)})
	patching := webhook(Webhook{Name: "patching", Role: "patching", Revision: revisionThat(patch)})
	denying := webhook(Webhook{Name: "denying", Revision: revisionThat(no)})
	faulty := func(fault string, ignore bool) Webhook {
		return webhook(Webhook{Name: fault, Role: fault, Revision: 1, Fault: fault, Ignore: ignore})
	}
	narrow := func(change func(*Webhook)) []Webhook {
		w := sound
		change(&w)
		return []Webhook{w}
	}
	conditional := narrow(func(w *Webhook) { w.Conditional = true })
	always := func(w *Webhook) { w.Again = true }
	creation := Request{Operation: apiadmission.Create, Resource: Pods, Version: "v1", Condition: "true"}
	request := func(changes ...func(*Request)) Request {
		r := creation
		for _, change := range changes {
			change(&r)
		}
		return r
	}
	fault := func(name string) Request { return request(func(r *Request) { r.Fault = name }) }
	type row struct {
		testtable.Row
		phase    admission.Phase
		request  Request
		webhooks []Webhook
		want     string
		counts   Counts
		kinds    Kinds
	}
	const mutating, validating = admission.Mutating, admission.Validating
	called := "allowed; calls [c/sound], answers [sound], failed open [], labels []"
	uncalled := "allowed; calls [], answers [], failed open [], labels []"
	testtable.Run(t, []row{
		{testtable.Row{"no webhooks", "every request is admitted"}, mutating, creation, nil, uncalled, Counts{}, 0},
		{testtable.Row{"patched", "patches leave labels"}, mutating, creation, []Webhook{sound, patching},
			fmt.Sprintf("allowed; calls [c/sound c/patching], answers [patching sound], failed open [], labels [patching=%d]", patching.Revision), Counts{Calls: 2}, 0},
		{testtable.Row{"denied", "later webhooks are not called, and patches are undone"}, mutating, creation, []Webhook{patching, denying, sound},
			"denied by denying; calls [c/patching c/denying], answers [denying patching], failed open [], labels []", Counts{Calls: 2, Denied: 1}, 0},
		{testtable.Row{"denied at once", "validating webhooks are all called"}, validating, creation, []Webhook{denying, sound},
			"denied by denying; calls [], answers [denying sound], failed open [], labels []", Counts{Calls: 2, Denied: 1}, 0},
		{testtable.Row{"other fault", "only the fault that is asked for is met"}, mutating, fault("hang"), []Webhook{faulty("reset", false)}, uncalled, Counts{}, 0},
		{testtable.Row{"failed open", "the policy decides"}, mutating, fault("reset"), []Webhook{faulty("reset", true)},
			"allowed; calls [c/reset], answers [], failed open [reset], labels []", Counts{Calls: 1, Faulty: 1, FailedOpen: 1}, 0},
		{testtable.Row{"failed closed", "the policy decides"}, validating, fault("reset"), []Webhook{faulty("reset", false)},
			"failed at reset; calls [], answers [], failed open [], labels []", Counts{Calls: 1, Faulty: 1, FailedClosed: 1}, 0},
		{testtable.Row{"bad patch", "no policy helps"}, mutating, fault("bad-patch"), []Webhook{faulty("bad-patch", true)},
			"internal error; calls [c/bad-patch], answers [], failed open [], labels []", Counts{Calls: 1, Faulty: 1, Internal: 1}, 0},
		{testtable.Row{"patch while validating", "it is an invalid answer, and the policy decides"}, validating, fault("bad-patch"), []Webhook{faulty("bad-patch", true)},
			"allowed; calls [], answers [], failed open [bad-patch], labels []", Counts{Calls: 1, Faulty: 1, FailedOpen: 1}, 0},
		{testtable.Row{"other operation", "a rule names the operations"}, mutating, request(func(r *Request) { r.Operation = apiadmission.Update }),
			narrow(func(w *Webhook) { w.Operations = []registrationv1.OperationType{registrationv1.Delete} }), uncalled, Counts{}, Updates},
		{testtable.Row{"deletion", "there is nothing to patch"}, mutating, request(func(r *Request) { r.Operation = apiadmission.Delete }), []Webhook{patching},
			"allowed; calls [c/patching], answers [patching], failed open [], labels []", Counts{Calls: 1}, Deletions},
		{testtable.Row{"connection", "options have no labels"}, mutating, request(func(r *Request) { r.Operation = apiadmission.Connect }), []Webhook{patching},
			fmt.Sprintf("allowed; calls [c/patching], answers [patching], failed open [], labels [container=%d]", patching.Revision), Counts{Calls: 1}, Connections},
		{testtable.Row{"refused dry run", "nothing is sent"}, mutating, request(func(r *Request) { r.DryRun = true }), narrow(func(w *Webhook) { w.Effects = true }),
			"dry run refused by sound; calls [c/sound], answers [], failed open [], labels []", Counts{Calls: 1, Unsent: 1, Internal: 1}, DryRuns | RefusedDryRuns},
		{testtable.Row{"called again", "a later webhook has changed the object"}, mutating, creation, append(narrow(always), patching),
			fmt.Sprintf("allowed; calls [c/sound c/patching c/sound again], answers [patching sound sound], failed open [], labels [patching=%d]", patching.Revision), Counts{Calls: 3}, Reinvoked},
		{testtable.Row{"not called again", "an earlier webhook has changed the object"}, mutating, creation, append([]Webhook{patching}, narrow(always)...),
			fmt.Sprintf("allowed; calls [c/patching c/sound], answers [patching sound], failed open [], labels [patching=%d]", patching.Revision), Counts{Calls: 2}, 0},
		{testtable.Row{"converted", "Equivalent matches the other version"}, mutating, request(func(r *Request) { r.Version = "v2" }),
			narrow(func(w *Webhook) { w.Versions, w.Equivalent = []string{"v1"}, true }), called, Counts{Calls: 1}, OtherVersions | Converted},
		{testtable.Row{"not converted", "Exact does not"}, mutating, request(func(r *Request) { r.Version = "v2" }),
			narrow(func(w *Webhook) { w.Versions = []string{"v1"} }), uncalled, Counts{}, OtherVersions},
		{testtable.Row{"true", "the condition holds"}, mutating, creation, conditional, called, Counts{Calls: 1}, ConditionTrue},
		{testtable.Row{"false", "the condition does not hold"}, mutating, request(func(r *Request) { r.Condition = "false" }), conditional, uncalled, Counts{}, ConditionFalse},
		{testtable.Row{"error", "Fail rejects the request before the first validating webhook"}, validating, request(func(r *Request) { r.Condition = "" }), append([]Webhook{sound}, conditional...),
			fmt.Sprintf("condition failed of sound@%d; calls [], answers [], failed open [], labels []", sound.Revision), Counts{}, ConditionFailedClosed},
		{testtable.Row{"error ignored", "Ignore skips the webhook"}, mutating, request(func(r *Request) { r.Condition = "" }),
			narrow(func(w *Webhook) { w.Conditional, w.Ignore = true, true }), uncalled, Counts{}, ConditionFailedOpen},
		{testtable.Row{"namespace", "it is not selected"}, mutating, creation, narrow(func(w *Webhook) { w.Golden = true }), uncalled, Counts{}, NamespaceNotSelected},
		{testtable.Row{"object", "it is selected"}, mutating, request(func(r *Request) { r.Team = "red" }), narrow(func(w *Webhook) { w.Team = "red" }), called, Counts{Calls: 1}, ObjectSelected},
		{testtable.Row{"old object", "one of the two is enough"}, mutating, request(func(r *Request) { r.Team, r.OldTeam = "green", "red" }),
			narrow(func(w *Webhook) { w.Team = "red" }), called, Counts{Calls: 1}, OldObjectSelected},
		{testtable.Row{"no object", "none of the two"}, mutating, creation, narrow(func(w *Webhook) { w.Team = "red" }), uncalled, Counts{}, 0},
		{testtable.Row{"policy", "it labels pods"}, mutating, request(func(r *Request) { r.Team = policyTeam }), nil,
			"allowed; calls [], answers [], failed open [], labels [policy=1]", Counts{}, PolicyMutated},
		{testtable.Row{"policy and denial", "what the policy did stays"}, mutating, request(func(r *Request) { r.Team = policyTeam }), []Webhook{denying},
			"denied by denying; calls [c/denying], answers [denying], failed open [], labels [policy=1]", Counts{Calls: 1, Denied: 1}, PolicyMutated},
		{testtable.Row{"denied by a policy", "no webhook is called"}, validating, request(func(r *Request) { r.Team, r.DryRun = policyTeam, true }), []Webhook{sound},
			"denied by the policy; calls [], answers [], failed open [], labels []", Counts{}, DryRuns | PolicyDenied},
	}, func(t *testing.T, r row) {
		r.request.Number = 1
		p := newPrediction(r.phase, r.request, Outcome{}, 0)
		state := State{{Name: "c", Webhooks: r.webhooks}}
		if p.round(state, false); p.more && p.outcome.Verdict == allowed {
			p.second = true
			p.round(state, false)
		}
		if got := short(p.done()); got != r.want || p.counts != r.counts || p.kinds != r.kinds {
			t.Errorf("got  %s %+v %b\nwant %s %+v %b", got, p.counts, p.kinds, r.want, r.counts, r.kinds)
		}
	})
}

// short is an outcome without reports, revisions and the object.
func short(o Outcome) string {
	var answers []string
	for _, a := range o.Revisions {
		name, _, _ := strings.Cut(a, "@")
		answers = append(answers, name)
	}
	o.Revisions = answers
	text, _, _ := strings.Cut(o.String(), ", object ")
	return text
}

// TestExplain explains outcomes by two states, and lost calls.
func TestExplain(t *testing.T) {
	t.Parallel()
	r := Request{Number: 1, Resource: Pods, Operation: apiadmission.Create, Namespace: "n", Version: "v1"}
	sound := func(name string) Webhook {
		return webhook(Webhook{Name: name, Role: name, Revision: revisionThat(yes)})
	}
	again, patching, golden := sound("again"), sound("patching"), sound("golden")
	again.Again, patching.Revision, golden.Golden = true, revisionThat(patch), true
	state := func(webhooks ...Webhook) State { return State{{Name: "c", Webhooks: webhooks}} }
	answer := func(w Webhook) string { return (&prediction{request: r}).answer(&w, "v1") }
	namespaces := []State{{{Name: "n", Golden: true}}, {{Name: "n"}}}
	label := fmt.Sprintf("patching=%d", patching.Revision)
	type row struct {
		testtable.Row
		states []State
		phase  admission.Phase
		seen   Outcome
		lost   int
		counts Counts
		ok     bool
	}
	const mutating, validating = admission.Mutating, admission.Validating
	two := []State{state(sound("a")), state(sound("b"))}
	testtable.Run(t, []row{
		{testtable.Row{"one", "the older state explains it"}, two, mutating, Outcome{Calls: []string{"c/a"}, Revisions: []string{answer(sound("a"))}, Verdict: allowed}, 0, Counts{Calls: 1}, true},
		{testtable.Row{"other", "and so may the newer one"}, two, mutating, Outcome{Calls: []string{"c/b"}, Revisions: []string{answer(sound("b"))}, Verdict: allowed}, 0, Counts{Calls: 1}, true},
		{testtable.Row{"none", "a request sees one of them"}, two, mutating, Outcome{Calls: []string{"c/a", "c/b"}, Revisions: []string{answer(sound("a")), answer(sound("b"))}, Verdict: allowed}, 0, Counts{}, false},
		{testtable.Row{"namespace", "its labels may have changed, too"}, []State{state(golden)}, mutating, Outcome{Calls: []string{"c/golden"}, Revisions: []string{answer(golden)}, Verdict: allowed}, 0, Counts{Calls: 1}, true},
		{testtable.Row{"other namespace", "and not yet"}, []State{state(golden)}, mutating, Outcome{Verdict: allowed}, 0, Counts{}, true},
		{testtable.Row{"rounds", "the second one sees a newer state, in which the webhook is gone"}, []State{state(again, patching), nil}, mutating,
			Outcome{Calls: []string{"c/again", "c/patching"}, Revisions: []string{answer(again), answer(patching)}, Verdict: allowed, Labels: []string{label}}, 0, Counts{Calls: 2}, true},
		{testtable.Row{"rounds back", "but none that is older"}, []State{nil, state(again, patching)}, mutating,
			Outcome{Calls: []string{"c/again", "c/patching"}, Revisions: []string{answer(again), answer(patching)}, Verdict: allowed, Labels: []string{label}}, 0, Counts{}, false},
		{testtable.Row{"first of two lost", "what has answered was not lost"}, []State{state(sound("a"), sound("b"))}, validating,
			Outcome{Revisions: []string{answer(sound("b"))}, Verdict: failedAt("a")}, 1, Counts{Calls: 2, Faulty: 1, FailedClosed: 1}, true},
		{testtable.Row{"both lost", "the first error counts"}, []State{state(sound("a"), sound("b"))}, validating,
			Outcome{Verdict: failedAt("a")}, 2, Counts{Calls: 2, Faulty: 2, FailedClosed: 2}, true},
		{testtable.Row{"in order", "mutating webhooks after a failure are not called"}, []State{state(sound("a"), sound("b"))}, mutating,
			Outcome{Calls: []string{"c/a"}, Verdict: failedAt("a")}, 1, Counts{Calls: 1, Faulty: 1, FailedClosed: 1}, true},
		{testtable.Row{"too many", "no more can be lost than were made"}, []State{state(sound("a"), sound("b"))}, mutating,
			Outcome{Calls: []string{"c/a"}, Verdict: failedAt("a")}, 2, Counts{}, false},
	}, func(t *testing.T, tc row) {
		tc.seen.Shape = r.shape()
		a := Allowed{Configurations: tc.states, Namespaces: namespaces}
		e, predicted, ok := a.Explain(tc.phase, r, tc.seen, tc.lost)
		if ok != tc.ok || ok && e.Counts != tc.counts {
			t.Errorf("%v, %+v, want %v, %+v; predicted\n%s", ok, e.Counts, tc.ok, tc.counts, strings.Join(predicted, "\n"))
		}
	})
}

// revisionThat returns a revision at which mutating webhooks say that to
// request 1. What validating ones say is the same but for patches.
func revisionThat(want verdict) int64 {
	for revision := int64(1); ; revision++ {
		if verdictOn(admission.Mutating, revision, Request{Number: 1}) == want {
			return revision
		}
	}
}
