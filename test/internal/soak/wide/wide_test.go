package wide

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// The tests that run requests do so one after the other, because Run looks at
// the whole process.

type row = testtable.Row

func TestRun(t *testing.T) {
	r, err := Run(t.Context(), Options{Duration: time.Second, Callers: 20})
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Violations(); len(found) > 0 || r.Unexpected > 0 {
		t.Errorf("%d violations: %s", r.Unexpected, strings.Join(found, "\n"))
	}
	// A request that is denied while mutating gets to 9 webhooks, others to 20.
	if r.Requests < 20 || r.Calls < 9*r.Requests || r.Calls > 20*r.Requests || r.Connections == 0 {
		t.Errorf("%d requests, %d calls, %d connections", r.Requests, r.Calls, r.Connections)
	}
	if r.P50 == 0 || r.P50 > r.P99 || r.P99 > r.P999 || r.P999 > r.Longest || r.Highest.Goroutines <= r.After.Goroutines {
		t.Errorf("got %+v", r)
	}
	var text strings.Builder
	r.Print(&text)
	for _, part := range []string{"20 callers, 10 mutating and 10 validating webhooks", "unexpected   0\n", "after Close  goroutines "} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is not in what is printed:\n%s", part, text.String())
		}
	}
}

// TestBrokenPlansAreFound: a webhook that does something else than its plan is
// noticed, whatever it does.
func TestBrokenPlansAreFound(t *testing.T) {
	type brokenCase struct {
		row
		phase   admission.Phase
		index   int
		does    act
		finding string // part of the first one
	}
	for _, tc := range testtable.Checked(t, []brokenCase{
		{row{"lets pass", "a verdict that is too mild"}, admission.Validating, 8, agree, "it was allowed, want admission webhook"},
		{row{"denies", "a verdict that is too strict"}, admission.Validating, 0, refuse, "validating-0.wide.example.com"},
		{row{"denies at once", "fewer webhooks are called"}, admission.Mutating, 0, refuse, "it was denied with"},
		{row{"fails", "a failure that is not ignored"}, admission.Validating, 1, fault, "failed calling webhook"},
		{row{"adds nothing", "the object, and what others see of it"}, admission.Mutating, 5, agree, "the object is another"},
		{row{"fails and is ignored", "the annotations"}, admission.Validating, 6, fault, "the annotations are others"},
	}) {
		t.Run(tc.Name(), func(t *testing.T) {
			honest := plan{each: ten}
			r, err := Run(t.Context(), Options{
				Duration: 200 * time.Millisecond, Callers: 8,
				act: func(phase admission.Phase, index, number int) act {
					if phase == tc.phase && index == tc.index {
						return tc.does
					}
					return honest.act(phase, index, number)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			found := r.Violations()
			if !slices.ContainsFunc(found, func(text string) bool { return strings.Contains(text, tc.finding) }) {
				t.Errorf("%q is not among %q (%s)", tc.finding, found, tc.Why())
			}
		})
	}
}

// TestVisitsAreChecked: the objects that webhooks received are compared with
// the plan too.
func TestVisitsAreChecked(t *testing.T) {
	t.Parallel()
	p := plan{each: 4}
	const number = 1
	honest := func(v *visit) {
		for i := range p.each {
			v.see(p, admission.Mutating, i, number, p.labelsBefore(i, number))
		}
		for i := p.each - 1; i >= 0; i-- {
			v.see(p, admission.Validating, i, number, p.labelsBefore(p.each, number))
		}
	}
	type visitCase struct {
		row
		visits func(*visit)
		want   string
	}
	testtable.Run(t, []visitCase{
		{row{"all", "validating webhooks come in any order"}, honest, ""},
		{row{"none", "no call is missed"}, func(*visit) {}, "mutating webhooks [] were called, want [0 1 2 3]"},
		{row{"twice", "no call is repeated"}, func(v *visit) {
			honest(v)
			v.see(p, admission.Validating, 2, number, p.labelsBefore(p.each, number))
		}, "validating webhooks [0 1 2 2 3] were called, want [0 1 2 3]"},
		{row{"stale object", "each sees the object as the one before left it"}, func(v *visit) {
			v.see(p, admission.Mutating, 1, number, nil)
		}, "mutating-1.wide.example.com was shown the labels map[], want map[altered-0:1]"},
	}, func(t *testing.T, tc visitCase) {
		v := &visit{}
		tc.visits(v)
		if got := v.differs(p.expect(number)); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	})
}

func TestParting(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	type partingCase struct {
		row
		got, want, text string
	}
	testtable.Run(t, []partingCase{
		{row{"beginning", "there may be nothing before"}, "a", "b", "…a…, want …b…"},
		{row{"middle", "only what is near is shown"}, long + "a" + long, long + "b" + long,
			"…" + long[:60] + "a" + long[:59] + "…, want …" + long[:60] + "b" + long[:59] + "…"},
		{row{"end", "one may be the other's beginning"}, "ab", "abc", "…ab…, want …abc…"},
		{row{"nowhere", "what JSON leaves out may be what is different"}, "a", "a", "it does not show in a"},
	}, func(t *testing.T, tc partingCase) {
		if got := parting(tc.got, tc.want); got != tc.text {
			t.Errorf("got %q, want %q", got, tc.text)
		}
	})
}

// TestPlanHasEverything: each thing that can happen does, in every hundred.
func TestPlanHasEverything(t *testing.T) {
	t.Parallel()
	p := plan{each: ten}
	happens := map[string]int{}
	for number := range 100 {
		e := p.expect(number)
		switch {
		case e.err == "":
			happens["allowed"]++
		case len(e.validating) == 0:
			happens["denied while mutating"]++
		default:
			happens["denied while validating"]++
		}
		for _, note := range e.notes {
			kind, _, _ := strings.Cut(note, ".webhook.")
			happens[kind]++
		}
		if p.act(admission.Validating, 2, number) == refuse && p.act(admission.Validating, 8, number) == refuse {
			happens["denied twice"]++
		}
	}
	for _, what := range []string{
		"allowed", "denied while mutating", "denied while validating", "denied twice",
		"mutation", "patch", "failed-open.mutation", "failed-open.validating",
	} {
		if happens[what] == 0 {
			t.Errorf("%s: never in 100 requests, of which are %v", what, happens)
		}
	}
}

func TestLeaksAreFound(t *testing.T) {
	const many = 20 // something of an earlier test may just be ending
	done := make(chan struct{})
	began := make(chan struct{}, 1)
	honest := plan{each: 2}
	r, err := Run(t.Context(), Options{
		Duration: time.Millisecond, Callers: 1, Webhooks: 2, drains: 50 * time.Millisecond,
		act: func(phase admission.Phase, index, number int) act {
			select {
			case began <- struct{}{}:
				for range many {
					go func() { <-done }()
				}
			default:
			}
			return honest.act(phase, index, number)
		},
	})
	close(done)
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Violations(); len(found) != 1 || !strings.Contains(found[0], "after Close, ") || !strings.Contains(found[0], "TestLeaksAreFound") {
		t.Errorf("got %q", found)
	}
}

func TestRunEndsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	honest := plan{each: 2}
	r, err := Run(ctx, Options{
		Duration: time.Hour, Callers: 4, Webhooks: 2,
		act: func(phase admission.Phase, index, number int) act {
			cancel() // not before there is a request, however slow the machine is
			return honest.act(phase, index, number)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Violations(); len(found) > 0 || r.Requests == 0 || r.Took > time.Minute {
		t.Errorf("%d requests in %s: %q", r.Requests, r.Took, found)
	}
}
