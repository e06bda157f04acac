package matching_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// sharingCase counts the authorizer checks that some webhooks make.
type sharingCase struct {
	row
	webhooks []*matching.Webhook
	want     int
}

// Equal expressions with the same inputs are evaluated once per request. The
// test counts authorizer checks, one per evaluation.
func TestEqualExpressionsAreEvaluatedOnce(t *testing.T) {
	t.Parallel()
	const one, two = "authorizer.requestResource.check('a').allowed()", "authorizer.requestResource.check('b').allowed()"
	compiled := func(webhooks ...*admission.Webhook) []*matching.Webhook {
		return matching.NewCompiler().Compile(webhooks)
	}
	compiler := matching.NewCompiler()
	first, second := compiler.Compile([]*admission.Webhook{asking(when(one))}), compiler.Compile([]*admission.Webhook{asking(when(one))})
	testtable.Run(t, []sharingCase{
		{row{"one webhook", "equal expressions in one list"}, compiled(asking(when(one, one))), 1},
		{row{"two webhooks", "equal expressions in two lists"}, compiled(asking(when(one)), asking(when(one))), 1},
		{row{"two configurations", "a compiler knows what it compiled before"}, append(first, second...), 1},
		{row{"different expressions", "what differs is verdict"}, compiled(asking(when(one, two)), asking(when(two))), 2},
		{row{"different texts", "only equal texts are shared, blanks count"}, compiled(asking(when(one, one+" "))), 2},
		{row{"two compilers", "programs of two compilers differ, but equal lists of conditions are known by their text"}, append(compiled(asking(when(one))), compiled(asking(when(one)))...), 1},
		{row{"two compilers, other lists", "of other lists nothing is known"}, append(compiled(asking(when(one))), compiled(asking(when(one, one)))...), 2},
		{row{"two kinds", "another version of the object may give another result"}, compiled(
			asking(equivalent, rules(rule("apps", "v1", "*")), when(one)),
			asking(equivalent, rules(rule("extensions", "v1beta1", "*")), when(one))), 2},
	}, func(t *testing.T, tc sharingCase) {
		var made int
		r := request(deploying(""), asked(&mapper{}), allowing(&made))
		for _, w := range tc.webhooks {
			if m := match(t.Context(), w, r); !m.Matched() {
				t.Fatalf("stage %v, error %v, want a match", m.Stage, m.Err)
			}
		}
		if made != tc.want {
			t.Errorf("%d checks were made, want %d", made, tc.want)
		}
	})
}

// An update drops what was verdict: the conditions of the webhooks to come see
// the changed object.
func TestUpdateDropsEvaluations(t *testing.T) {
	t.Parallel()
	current := creating(func(a *testRequest) { a.object = pod(web) }).attributes()
	var made int
	r := request(creating(), allowing(&made), func(in *input) {
		in.versioned = func(kind schema.GroupVersionKind) *apiadmission.VersionedAttributes {
			return versioned(current, kind)
		}
	})
	w := compile(asking(when("object.metadata.labels.app == 'web' && authorizer.requestResource.check('get').allowed()")))
	if m := match(t.Context(), w, r); !m.Matched() {
		t.Fatalf("before the update: stage %v, error %v, want a match", m.Stage, m.Err)
	}
	current = creating(func(a *testRequest) { a.object = pod(other) }).attributes()
	if m := match(t.Context(), w, r); !m.Matched() || made != 1 {
		t.Errorf("without an update: stage %v after %d checks, want the first answer", m.Stage, made)
	}
	r.Update(current)
	if m := match(t.Context(), w, r); m.Stage != admission.StageConditions || m.Err != nil {
		t.Errorf("after the update: stage %v, error %v, want a plain no", m.Stage, m.Err)
	}
}

// A snapshot gives each phase its own webhooks, in the order in which it got
// them.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	compiler := matching.NewCompiler()
	mutating := compiler.Compile([]*admission.Webhook{asking(), asking()})
	validating := compiler.Compile([]*admission.Webhook{asking()})
	s := matching.NewSnapshot(mutating, validating)
	for phase, want := range map[admission.Phase][]*matching.Webhook{admission.Mutating: mutating, admission.Validating: validating} {
		got := s.Webhooks(phase)
		if len(got) != len(want) {
			t.Fatalf("%v: %d webhooks, want %d", phase, len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%v: webhook %d is another one", phase, i)
			}
		}
	}
}

// Many requests may use one compiled webhook at the same time; the race
// detector is what makes this a test.
func TestConcurrentMatch(t *testing.T) {
	t.Parallel()
	w := compile(asking(byNamespace, byObject, equivalent, rules(rule("extensions", "*", "*")), when("object.metadata.name == 'n'", "request.operation == 'CREATE'")))
	done := make(chan bool)
	const many = 8
	for range many {
		go func() {
			a := deploying("")
			a.object = &corev1.Pod{ObjectMeta: pod(web).ObjectMeta}
			m := match(t.Context(), w, request(a, found(web), asked(&mapper{})))
			done <- m.Matched()
		}()
	}
	for range many {
		if !<-done {
			t.Error("a concurrent request did not match")
		}
	}
}
