package matching_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// indexed reports whether the index leads to w.
func indexed(w *matching.Webhook, r *view) bool {
	s := matching.NewSnapshot(nil, []*matching.Webhook{w})
	return len(s.Candidates(admission.Validating, r.View)) == 1
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
			if got := s.Candidates(admission.Mutating, r.View); !slices.Equal(got, want) {
				t.Fatalf("case %d: asked %+v, equivalents %v: found %v, want %v", i, a, others, got, want)
			}
			if got := s.Candidates(admission.Validating, r.View); len(got) != 0 {
				t.Fatalf("case %d: found %v in the other phase", i, got)
			}
		}
	}
	if total < 10_000 {
		t.Errorf("only %d webhooks were to be found", total)
	}
}

// TestWith replaces the webhooks of one phase.
func TestWith(t *testing.T) {
	t.Parallel()
	compiler := matching.NewCompiler()
	one := func(resource string) []*matching.Webhook {
		return compiler.Compile([]*admission.Webhook{asking(rules(rule("", "v1", resource)))})
	}
	before := matching.NewSnapshot(one("pods"), one("pods"))
	after := before.With(admission.Mutating, one("nodes"))
	type withCase struct {
		row
		snapshot *matching.Snapshot
		phase    admission.Phase
		found    int
	}
	testtable.Run(t, []withCase{
		{row{"replaced", "the webhook before is no longer found"}, after, admission.Mutating, 0},
		{row{"other phase", "it stays as it is"}, after, admission.Validating, 1},
		{row{"snapshot before", "a request in flight keeps its snapshot"}, before, admission.Mutating, 1},
	}, func(t *testing.T, tc withCase) {
		if got := tc.snapshot.Candidates(tc.phase, request(creating()).View); len(got) != tc.found {
			t.Errorf("found %v, want %d", got, tc.found)
		}
	})
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
		if got := s.Candidates(admission.Validating, request(creating()).View); !slices.Equal(got, []int32{1}) {
			t.Errorf("found %v, want the second", got)
		}
	})
}
