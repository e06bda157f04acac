package embedding

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// reinvocationRow creates a pod that its webhooks, and the plugin before them,
// change in turn.
type reinvocationRow struct {
	testtable.Row
	// class is the pod's PriorityClass at first.
	class string
	hooks []reinvoked
	// labels and priority are the stored pod's; want is a part of the error
	// instead.
	labels   map[string]string
	priority int32
	want     string
	// calls are those of the webhooks, by path.
	calls map[string]int
	// mutated and patched are the audit log's, by round and index.
	mutated map[string]bool
	patched map[string]string
}

// reinvoked is a webhook whose path names what it does.
type reinvoked struct {
	path string
	// policy is its reinvocationPolicy; empty is the default.
	policy   registrationv1.ReinvocationPolicyType
	selector map[string]string
}

// The patches of the webhooks.
const (
	addA      = `[{"op":"add","path":"/metadata/labels/a","value":"true"}]`
	addB      = `[{"op":"add","path":"/metadata/labels/b","value":"true"}]`
	fightTrue = `[{"op":"replace","path":"/metadata/labels/fight","value":"true"}]`
	fightNot  = `[{"op":"replace","path":"/metadata/labels/fight","value":"false"}]`
	raise     = `[{"op":"add","path":"/spec/priorityClassName","value":"high-priority"},{"op":"remove","path":"/spec/priority"}]`
	mistake   = `[{"op":"add","path":"/spec/priorityClassName","value":"invalid"}]`
)

// reinvocationRows are I-R1 to I-R9.
func reinvocationRows() []reinvocationRow {
	const again, never = registrationv1.IfNeededReinvocationPolicy, registrationv1.NeverReinvocationPolicy
	labels := func(keys ...string) map[string]string {
		all := map[string]string{"x": "true"}
		for _, key := range keys {
			all[key] = "true"
		}
		return all
	}
	row := func(id, why string) testtable.Row { return testtable.Row{id, why} }
	once := map[string]int{"addlabel": 1, "conditionaladdlabel": 1}
	return []reinvocationRow{
		{
			Row: row("I-R1", "no webhook is reinvoked when nothing changes"), class: "low-priority",
			hooks: []reinvoked{{path: "noop", policy: again}}, labels: labels(), priority: 1,
			calls: map[string]int{"noop": 1}, mutated: map[string]bool{"round_0_index_0": false},
		},
		{
			Row: row("I-R2", "the plugins run again, and have nothing to change"), class: "low-priority",
			hooks: []reinvoked{{path: "addlabel", policy: again}}, labels: labels("a"), priority: 1,
			calls: map[string]int{"addlabel": 1}, mutated: map[string]bool{"round_0_index_0": true}, patched: map[string]string{"round_0_index_0": addA},
		},
		{
			Row: row("I-R3", "what a plugin changes after a webhook is shown to it"), class: "low-priority",
			hooks: []reinvoked{{path: "setpriority", policy: again}}, labels: labels(), priority: 10,
			calls:   map[string]int{"setpriority": 2},
			mutated: map[string]bool{"round_0_index_0": true, "round_1_index_0": false}, patched: map[string]string{"round_0_index_0": raise},
		},
		{
			Row: row("I-R4", "what a webhook changes after another is shown to that one"), class: "low-priority",
			hooks:  []reinvoked{{path: "addlabel", policy: again}, {path: "conditionaladdlabel", policy: again}},
			labels: labels("a", "b"), priority: 1, calls: map[string]int{"addlabel": 2, "conditionaladdlabel": 1},
			mutated: map[string]bool{"round_0_index_0": true, "round_0_index_1": true, "round_1_index_0": false},
			patched: map[string]string{"round_0_index_0": addA, "round_0_index_1": addB},
		},
		{
			Row: row("I-R5", "who cannot agree is asked twice and no more"), class: "low-priority",
			hooks:  []reinvoked{{path: "settrue", policy: again}, {path: "setfalse", policy: again}},
			labels: map[string]string{"x": "true", "fight": "false"}, priority: 1, calls: map[string]int{"settrue": 2, "setfalse": 2},
			mutated: map[string]bool{"round_0_index_0": true, "round_0_index_1": true, "round_1_index_0": true, "round_1_index_1": true},
			patched: map[string]string{"round_0_index_0": fightTrue, "round_0_index_1": fightNot, "round_1_index_0": fightTrue, "round_1_index_1": fightNot},
		},
		{
			Row: row("I-R6", "who was not called at first is not called later"), class: "low-priority",
			hooks:  []reinvoked{{path: "conditionaladdlabel", policy: again, selector: map[string]string{"a": "true"}}, {path: "addlabel", policy: again}},
			labels: labels("a"), priority: 1, calls: map[string]int{"addlabel": 1},
			mutated: map[string]bool{"round_0_index_1": true}, patched: map[string]string{"round_0_index_1": addA},
		},
		{
			Row:   row("I-R7", "a plugin that runs again may refuse"),
			hooks: []reinvoked{{path: "setinvalidpriority", policy: again}}, want: "no PriorityClass with name invalid was found",
			calls: map[string]int{"setinvalidpriority": 1},
		},
		{
			Row:   row("I-R8", "a webhook with reinvocationPolicy Never is not reinvoked"),
			hooks: []reinvoked{{path: "conditionaladdlabel", policy: never}, {path: "addlabel", policy: never}}, labels: labels("a"), calls: once,
			mutated: map[string]bool{"round_0_index_0": false, "round_0_index_1": true}, patched: map[string]string{"round_0_index_1": addA},
		},
		{
			Row:   row("I-R9", "the default reinvocationPolicy is Never"),
			hooks: []reinvoked{{path: "conditionaladdlabel"}, {path: "addlabel"}}, labels: labels("a"), calls: once,
			mutated: map[string]bool{"round_0_index_0": false, "round_0_index_1": true}, patched: map[string]string{"round_0_index_1": addA},
		},
	}
}

// TestReinvocation is I-R, with both sets of plugins. The rows run one after
// the other: the audit log counts the webhooks of all configurations.
func TestReinvocation(t *testing.T) {
	h := serveHooks(t)
	for _, p := range both() {
		t.Run(p.name, func(t *testing.T) {
			s := startPrioritizing(t, p)
			for _, r := range testtable.Checked(t, reinvocationRows()) {
				t.Run(r.Name(), func(t *testing.T) {
					t.Logf("why: %s", r.Why())
					r.check(t, s, h)
				})
			}
		})
	}
}
