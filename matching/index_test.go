package matching_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// indexed reports whether the index leads to w.
func indexed(w *matching.Webhook, r *view) bool {
	s := matching.NewSnapshot(nil, []*matching.Webhook{w})
	return len(s.Candidates(admission.Validating, r.View, nil)) == 1
}

// TestRandomIndex compares what the index finds with the naive reading of all
// rules.
func TestRandomIndex(t *testing.T) {
	t.Parallel()
	d := dice{rand.New(rand.NewSource(1))}
	total := 0
	for i := range 300 {
		var hooks []*admission.Webhook
		for range 1 + d.Intn(60) {
			hooks = append(hooks, d.webhook())
		}
		s := matching.NewSnapshot(matching.NewCompiler().Compile(hooks), nil)
		for range 20 {
			a, others := d.ask(), candidates{d.resource(), d.resource()}
			r := request(a, func(in *input) { in.Objects = objects{mapper: others} })
			var want []int32
			for i, hook := range hooks {
				if rule, _ := naiveMatch(hook, a, others); rule >= 0 {
					want = append(want, int32(i))
				}
			}
			total += len(want)
			if got := s.Candidates(admission.Mutating, r.View, nil); !slices.Equal(got, want) {
				t.Fatalf("case %d: asked %+v, equivalents %v: found %v, want %v", i, a, others, got, want)
			}
			if got := s.Candidates(admission.Validating, r.View, nil); len(got) != 0 {
				t.Fatalf("case %d: found %v in the other phase", i, got)
			}
		}
	}
	if total < 10_000 {
		t.Errorf("only %d webhooks were to be found", total)
	}
}

// TestRandomChanges replaces webhooks again and again, and compares what is
// found after each change with the naive reading of the rules that are left.
func TestRandomChanges(t *testing.T) {
	t.Parallel()
	d, compiler := dice{rand.New(rand.NewSource(2))}, matching.NewCompiler()
	s, found := matching.NewSnapshot(nil, nil), 0
	var hooks []*admission.Webhook
	for step := range 2000 {
		from := d.Intn(len(hooks) + 1)
		to := from + min(d.Intn(4), len(hooks)-from)
		if len(hooks) > 100 {
			from, to = 10, 90
		}
		var with []*admission.Webhook
		for range d.Intn(4) {
			with = append(with, d.webhook())
		}
		switch step % 100 {
		case 0: // many at once
			for range 50 {
				with = append(with, d.webhook())
			}
		case 50: // none is left
			from, to, with = 0, len(hooks), nil
		}
		before := slices.Clone(s.Webhooks(admission.Mutating))
		changed := s.Replace(admission.Mutating, from, to-from, compiler.Compile(with))
		hooks = slices.Replace(hooks, from, to, with...)
		if !slices.Equal(before, s.Webhooks(admission.Mutating)) {
			t.Fatalf("step %d: the snapshot before has changed", step)
		}
		s = changed
		if n := len(s.Webhooks(admission.Mutating)); n != len(hooks) {
			t.Fatalf("step %d: %d webhooks, want %d", step, n, len(hooks))
		}
		for i, w := range s.Webhooks(admission.Mutating) {
			if w.Webhook != hooks[i] {
				t.Fatalf("step %d: another webhook at %d", step, i)
			}
		}
		a, others := d.ask(), candidates{d.resource(), d.resource()}
		var want []int32
		for i, hook := range hooks {
			if rule, _ := naiveMatch(hook, a, others); rule >= 0 {
				want = append(want, int32(i))
			}
		}
		found += len(want)
		r := request(a, func(in *input) { in.Objects = objects{mapper: others} })
		if got := s.Candidates(admission.Mutating, r.View, nil); !slices.Equal(got, want) {
			t.Fatalf("step %d of %d webhooks: found %v, want %v", step, len(hooks), got, want)
		}
	}
	if found < 10_000 {
		t.Errorf("only %d webhooks were to be found", found)
	}
}

// TestFirstEquivalent adds the first webhook with matchPolicy Equivalent to
// webhooks that were indexed without one.
func TestFirstEquivalent(t *testing.T) {
	t.Parallel()
	compiler := matching.NewCompiler()
	s := matching.NewSnapshot(compiler.Compile([]*admission.Webhook{asking()}), nil)
	apps := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	added := asking(rules(rule(apps.Group, apps.Version, apps.Resource)), equivalent)
	s = s.Replace(admission.Mutating, 0, 1, compiler.Compile([]*admission.Webhook{added}))
	pods := testRequest{operation: apiadmission.Create, kind: podKind, namespace: "ns", object: pod(nil),
		resource: schema.GroupVersionResource{Version: "v1", Resource: "pods"}}
	r := request(pods, func(in *input) { in.Objects = objects{mapper: candidates{apps}} })
	if got := s.Candidates(admission.Mutating, r.View, nil); len(got) != 1 {
		t.Errorf("found %v, want the webhook that was added", got)
	}
}

// TestWideRules: a rule with many elements is found by all that match it,
// whatever else finds it.
func TestWideRules(t *testing.T) {
	t.Parallel()
	many := func(first string, n int) []string {
		list := []string{first}
		for i := range n - 1 {
			list = append(list, fmt.Sprintf("%s%d", first, i))
		}
		return list
	}
	type wideCase struct {
		row
		groups, versions, resources int
	}
	testtable.Run(t, []wideCase{
		{row{"versions", "they are the first to go"}, 1, 80, 3},
		{row{"groups", "they go with the operations"}, 80, 2, 3},
		{row{"resources", "they never go"}, 1, 1, 300},
		{row{"everything", "the product of all would be 27 million keys"}, 300, 300, 300},
	}, func(t *testing.T, tc wideCase) {
		w := rule("", "v1", "pods")
		w.APIGroups, w.APIVersions, w.Resources = append(many("g", tc.groups), ""), many("v1", tc.versions), many("pods", tc.resources)
		s := matching.NewSnapshot(nil, matching.NewCompiler().Compile([]*admission.Webhook{asking(rules(rule("", "v1", "nodes"))), asking(rules(w))}))
		if got := s.Candidates(admission.Validating, request(creating()).View, nil); !slices.Equal(got, []int32{1}) {
			t.Errorf("found %v, want the second", got)
		}
	})
}

// TestCandidatesWithoutAllocation: a list that has buffer is filled for nothing.
func TestCandidatesWithoutAllocation(t *testing.T) {
	var hooks []*admission.Webhook
	for range 20 {
		hooks = append(hooks, asking(rules(rule("", "v1", "pods"))))
	}
	s := matching.NewSnapshot(nil, matching.NewCompiler().Compile(hooks))
	r, buffer := request(creating()), make([]int32, 0, 40)
	if n := testing.AllocsPerRun(100, func() { buffer = s.Candidates(admission.Validating, r.View, buffer[:0]) }); n > 0 || len(buffer) != 20 {
		t.Errorf("%v allocations for %d candidates", n, len(buffer))
	}
}
