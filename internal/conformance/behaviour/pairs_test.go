package behaviour

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

type met struct {
	row
	handlers []http.Handler
	// want are the webhooks and the pod of each meeting, and how many change
	// the pod.
	want []string
}

func TestMeetings(t *testing.T) {
	t.Parallel()
	sets, idles := patching(always("x", "a")), patching(nothing)
	testtable.Run(t, []met{
		{row{"no change", "there is nothing to compare"}, []http.Handler{idles, idles}, []string{"ab0: 0", "ab1: 0"}},
		{row{"changes first", "they are likelier to clash"}, []http.Handler{idles, sets, sets},
			[]string{"bc0: 2", "bc1: 2", "ab0: 1", "ac1: 1", "ab1: 1", "ac0: 1"}},
		{row{"each pair first", "one sample of all pairs says more than all samples of one"}, []http.Handler{sets, sets, sets},
			[]string{"ab0: 2", "ac1: 2", "bc0: 2", "ab1: 2", "ac0: 2", "bc1: 2"}},
		{row{"same again", "a patch that sets what is there is no change"}, []http.Handler{sets, patching(always("app", "web"))},
			[]string{"ab0: 1", "ab1: 1"}},
		{row{"broken patch", "nothing comes of it"}, []http.Handler{idles, patching(func(probe.Review) []op { return []op{{"op": "remove", "path": "/none"}} })},
			[]string{"ab0: 0", "ab1: 0"}},
		{row{"one denies", "nothing is stored in either order"}, []http.Handler{sets, denying(hasLabel("app"), nothing), sets}, []string{"ac1: 2", "ac0: 2"}},
		{row{"one silent", "a missing answer is for other checks"}, []http.Handler{sets, silent(hasLabel("app"), nothing), sets}, []string{"ac1: 2", "ac0: 2"}},
	}, func(t *testing.T, tc met) {
		c := probetest.New(t, servers(tc.handlers...), mutating(len(tc.handlers)), pods(2)...)
		var got []string
		for m := range pairings(c.Mutating(), c.Samples) {
			got = append(got, fmt.Sprintf("%.1s%.1s%d: %d", m.a.FullName(), m.b.FullName(), slices.Index(c.Samples, m.sample), m.changing))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// pods are requests for so many pods.
func pods(n int) []*admission.Request {
	var all []*admission.Request
	for i := range n {
		all = append(all, probetest.Pod(admissionv1.Create, func(p *corev1.Pod) { p.Name = fmt.Sprintf("web-%d", i) }))
	}
	return all
}

// TestOrderEnds however many webhooks and samples there are, and says what it
// left out.
func TestOrderEnds(t *testing.T) {
	t.Parallel()
	calls := 0 // they come one after the other
	counted := patching(func(probe.Review) []op { calls++; return always("x", "a")(nil) })
	c := probetest.New(t, servers(counted, counted, counted), mutating(3), pods(4)...)
	calls = 0
	r := &check.Record{}
	ordersAgree(5)(t.Context(), c, r)
	got := r.Result(&Checks()[1], "")
	want := report.Result{
		Check: "C-ORDER", Verdict: report.Pass,
		Message: "of 12 times that a sample meets with two webhooks one of which changes it, 5 were looked at",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if calls != 5*4 {
		t.Errorf("%d calls for 5 meetings, want 4 for each", calls)
	}
}
