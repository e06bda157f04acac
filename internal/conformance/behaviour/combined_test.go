package behaviour

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// waits adds the label that is its own, and another one once both are there.
func waits(own, other, then string) hook {
	return func(r probe.Review) []op {
		operations := []op{setLabel(own, "yes")}
		if label(r, own) != nil && label(r, other) != nil {
			operations = append(operations, setLabel(then, "yes"))
		}
		return operations
	}
}

// chain adds one more label of its own with every pass, up to a number of them,
// as long as the other one keeps up.
func chain(own, other string, length int) hook {
	return func(r probe.Review) []op {
		for n := range length {
			mine, others := fmt.Sprint(own, n), fmt.Sprint(other, n-1)
			if label(r, mine) != nil {
				continue
			}
			if n == 0 || label(r, others) != nil && label(r, fmt.Sprint(own, n-1)) != nil {
				return []op{setLabel(mine, "yes")}
			}
			return nil
		}
		return nil
	}
}

// opposes sets a label to what another one is, or is not, once both webhooks
// were there.
func opposes(own, other, write, read string, not bool) hook {
	return func(r probe.Review) []op {
		operations := []op{setLabel(own, "yes")}
		if label(r, own) == nil || label(r, other) == nil {
			return operations
		}
		value := "0"
		if (label(r, read) == "1") != not {
			value = "1"
		}
		return append(operations, setLabel(write, value))
	}
}

type collection struct {
	row
	configurations []runtime.Object
	handler        http.Handler
	want           string
}

// five are the checks that share no cause.
func five() []string {
	return []string{"C-IDEMPOTENT", "C-ORDER", "C-REINVOCATION", "C-FIXPOINT", "C-COLLECTION"}
}

// TestOneCauseOneFinding: each of five collections fails one of five checks and
// passes the other four.
func TestOneCauseOneFinding(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []collection{
		{row{"good", "two labels do not conflict"}, mutating(2),
			servers(patching(always("x", "a")), patching(sidecar("y"))), ""},
		{row{"not idempotent", "it appends with every call, alone and in company"}, mutating(2),
			servers(patching(appends), patching(always("x", "b"))), "C-IDEMPOTENT"},
		{row{"order", "the first webhook prevails, and the object converges"}, mutating(2),
			servers(patching(ifAbsent("team", "a")), patching(ifAbsent("team", "b"))), "C-ORDER"},
		{row{"reinvocation", "a would have more to do after b"}, mutating(2),
			servers(patching(waits("a", "b", "c")), patching(always("b", "yes"))), "C-REINVOCATION"},
		{row{"fixpoint", "it takes more than two passes, whatever the policies are"}, mutating(2, ifNeeded),
			servers(patching(chain("a", "b", 4)), patching(chain("b", "a", 4))), "C-FIXPOINT"},
		{row{"collection", "they never agree"}, mutating(2, ifNeeded),
			servers(patching(opposes("a", "b", "c", "d", false)), patching(opposes("b", "a", "d", "c", true))), "C-COLLECTION"},
		{row{"collection without policies", "that none is called again is not the reason"}, mutating(2),
			servers(patching(opposes("a", "b", "c", "d", false)), patching(opposes("b", "a", "d", "c", true))), "C-COLLECTION"},
	}, func(t *testing.T, tc collection) {
		c := probetest.New(t, tc.handler, tc.configurations, one(admissionv1.Create, admissionv1.Update)...)
		var failed []string
		for _, id := range five() {
			got := outcome(t, c, id)
			switch {
			case slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, "fail") }):
				failed = append(failed, id)
			case !slices.Contains(got, "pass"):
				t.Errorf("%s: %q, want a pass", id, got)
			}
		}
		if diff := cmp.Diff(tc.want, strings.Join(failed, " ")); diff != "" {
			t.Errorf("failed (-want +got):\n%s", diff)
		}
	})
}

// TestRepeatsOnce has the checks that ask what a webhook makes of its own
// output ask once.
func TestRepeatsOnce(t *testing.T) {
	t.Parallel()
	calls := 0 // they come one after the other
	h := patching(func(probe.Review) []op { calls++; return nil })
	c := probetest.New(t, servers(h, h), mutating(2), created()...)
	calls = 0
	for _, one := range Checks() {
		if slices.Contains(five(), one.ID) {
			results(t, c, &one)
		}
	}
	// Two webhooks twice each, alone; and then both together, and once more.
	if want := 2*2 + 2*2; calls != want {
		t.Errorf("%d calls, want %d", calls, want)
	}
}

// TestCompany is who a sample is tried with.
func TestCompany(t *testing.T) {
	t.Parallel()
	updates := func(w *registrationv1.MutatingWebhook) {
		w.Rules[0].Operations = []registrationv1.OperationType{registrationv1.Update}
	}
	handler := servers(patching(nothing), patching(nothing))
	testtable.Run(t, []companions{
		{row{"both", "both are visited"}, mutating(2), func(*probe.Collection) {}, "a/a.example.com, b/b.example.com"},
		{row{"not yet visited", "it may be, once the sample is changed"}, append(mutating(1), mutating(2, updates)[1]), func(*probe.Collection) {}, "a/a.example.com, b/b.example.com"},
		{row{"none visited", "no webhook would change the sample"}, mutating(2, updates), func(*probe.Collection) {}, ""},
		{row{"unreachable", "its effect is unknown"}, append(mutating(1), mutating(2, updates)[1]),
			func(c *probe.Collection) { c.Webhooks[1].Unreachable = errors.New("no route") }, "a/a.example.com"},
	}, func(t *testing.T, tc companions) {
		c := probetest.New(t, handler, tc.configurations, created()...)
		tc.change(c)
		got := (&reruns{}).participants(t.Context(), c.Mutating(), c.Samples[0])
		if diff := cmp.Diff(tc.want, names(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

type companions struct {
	row
	configurations []runtime.Object
	change         func(*probe.Collection)
	want           string
}

func TestReinvocation(t *testing.T) {
	t.Parallel()
	// later is a webhook that is only visited by what the other one has made.
	later := mutating(2)
	b, _ := later[1].(*registrationv1.MutatingWebhookConfiguration)
	b.Webhooks[0].ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "yes"}}
	both := func(r probe.Review) bool { return label(r, "a") != nil && label(r, "b") != nil }
	waiting := servers(patching(waits("a", "b", "c")), patching(always("b", "yes")))
	runLooks(t, "C-REINVOCATION", []look{
		{row{"never", "the webhook is named that has the wrong policy"}, mutating(2), waiting, created(),
			[]string{"fail: CREATE pods/web in shop: called again, a/a.example.com would change the object, but reinvocationPolicy is Never [metadata.labels.c]"}},
		{row{"if needed", "so it is called again"}, mutating(2, ifNeeded), waiting, created(), []string{"pass"}},
		{row{"one webhook", "no webhook changes anything after it"}, mutating(1), waiting, created(), []string{"skip: there are not two mutating webhooks"}},
		{row{"deletion", "there is no object to change"}, mutating(2), waiting, one(admissionv1.Delete),
			[]string{"skip: no sample with an object gets through the mutating webhooks"}},
		{row{"denied", "what is denied is not stored"}, mutating(2), servers(denying(hasLabel("app"), nothing), denying(hasLabel("app"), nothing)), created(),
			[]string{"skip: no sample with an object gets through the mutating webhooks"}},
		{row{"one is not idempotent", "it is left to its own check, the other is not"}, mutating(2), servers(patching(appends), patching(nothing)), created(), []string{"pass"}},
		{row{"visited later", "a webhook may be visited only after another"}, later, waiting, created(),
			[]string{"fail: CREATE pods/web in shop: called again, a/a.example.com would change the object, but reinvocationPolicy is Never [metadata.labels.c]"}},
		{row{"denied at last", "what the next pass would change is not known"}, mutating(2), servers(patching(always("a", "yes")), denying(both, always("b", "yes"))), created(),
			[]string{"skip: no sample with an object gets through the mutating webhooks"}},
		{row{"denied together", "the object is not stored in the end"}, mutating(2), servers(patching(always("x", "a")), denying(hasLabel("x"), nothing)), created(),
			[]string{"skip: no sample with an object gets through the mutating webhooks"}},
	})
}

func TestFixpoint(t *testing.T) {
	t.Parallel()
	of := func(n int) http.Handler { return servers(patching(chain("a", "b", n)), patching(chain("b", "a", n))) }
	runLooks(t, "C-FIXPOINT", []look{
		{row{"one pass", "no webhook waits"}, mutating(2, ifNeeded), of(1), created(), []string{"pass"}},
		{row{"two passes", "kube-apiserver makes as many"}, mutating(2, ifNeeded), of(2), created(), []string{"pass"}},
		{row{"three passes", "it is one too many"}, mutating(2, ifNeeded), of(3), created(),
			[]string{"fail: CREATE pods/web in shop: a/a.example.com, b/b.example.com would change the object again: 3 passes would be needed, and kube-apiserver makes two [metadata.labels.a2 metadata.labels.b2]"}},
		{row{"ten passes", "it is what is tried"}, mutating(2, ifNeeded), of(10), created(),
			[]string{"fail: CREATE pods/web in shop: a/a.example.com, b/b.example.com would change the object again: 10 passes would be needed, and kube-apiserver makes two [metadata.labels.a2 metadata.labels.b2]"}},
		{row{"eleven passes", "that is as good as never"}, mutating(2, ifNeeded), of(11), created(), []string{"pass"}},
	})
}

func TestCollection(t *testing.T) {
	t.Parallel()
	runLooks(t, "C-COLLECTION", []look{
		{row{"agreed", "each has a label of its own"}, mutating(2), servers(patching(always("x", "a")), patching(always("y", "b"))), created(), []string{"pass"}},
		{row{"never", "they go round"}, mutating(2, ifNeeded), servers(patching(opposes("a", "b", "c", "d", false)), patching(opposes("b", "a", "d", "c", true))), created(),
			[]string{"fail: CREATE pods/web in shop: a/a.example.com would change the object again, and so on after 10 passes [metadata.labels.c metadata.labels.d]"}},
		{row{"eleven passes", "that is as good as never"}, mutating(2, ifNeeded), servers(patching(chain("a", "b", 11)), patching(chain("b", "a", 11))), created(),
			[]string{"fail: CREATE pods/web in shop: a/a.example.com, b/b.example.com would change the object again, and so on after 10 passes [metadata.labels.a2 metadata.labels.b2]"}},
		{row{"one webhook", "there is no other webhook"}, mutating(1), servers(patching(nothing)), created(), []string{"skip: there are not two mutating webhooks"}},
	})
}
