package fault

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestEveryPromiseIsHeld: an outcome that violates a promise is detected, for
// every field of a promise.
func TestEveryPromiseIsHeld(t *testing.T) {
	t.Parallel()
	for _, p := range []Promise{
		{Message: "no"}, {Reason: "Forbidden"}, {Details: "{}"}, {Object: "{}"}, {Calls: new(2)}, {Connections: new(2)},
		{Elsewhere: 1}, {Credentials: 1}, {Patch: "[]"}, {Annotations: map[string]string{"k": "v"}}, {Warnings: []string{"w"}},
		{Instead: &Instead{}}, {Problems: []string{"goAway"}},
	} {
		for _, c := range Combinations() {
			p.Class = "R403"
			promised, err := p.Outcome(c)
			if err != nil {
				t.Fatal(err)
			}
			if len(Diff(promised, outcome(t, "R403", c))) == 0 {
				t.Errorf("%s: the outcome does not violate the promise %+v", c, p)
			}
		}
	}
}

func TestCauses(t *testing.T) {
	t.Parallel()
	type causeCase struct {
		row
		when          Combination
		details, want string
	}
	fail, ignore := Combinations()[0], Combinations()[1]
	testtable.Run(t, []causeCase{
		{row{"implied", "every internal error has its text as a cause"}, fail, "",
			`{"causes":[{"message":"failed calling webhook \"hook.example.com\": no \u003canswer\u003e"}]}`},
		{row{"promised", "a promise's own fields have precedence"}, fail, "{}", "{}"},
		{row{"ignored", "an admitted request has no error details"}, ignore, "", ""},
		{row{"ignored and promised", "one promise is for both policies"}, ignore, "{}", ""},
	}, func(t *testing.T, tc causeCase) {
		p := Promise{Class: "C503", Message: "no <answer>", Details: tc.details}
		if o, err := p.Outcome(tc.when); err != nil || o.Details != tc.want {
			t.Errorf("want %q, got %q, %v", tc.want, o.Details, err)
		}
	})
}

func TestClock(t *testing.T) {
	t.Parallel()
	type clockCase struct {
		row
		clock                 Clock
		promised, took, limit time.Duration
		want                  []string // parts of the lines
	}
	const second, promise, deadline = time.Second, "took", "deadline"
	testtable.Run(t, []clockCase{
		{row{"at once", "nothing has to wait"}, Virtual, 0, 0, second, nil},
		{row{"in time", "a limit may be used up"}, Virtual, second, second, second, nil},
		{row{"waited", "a call that waits must promise it"}, Virtual, 0, 1, second, []string{promise}},
		{row{"too early", "a timeout may not be cut short"}, Virtual, second, second - 1, second, []string{promise}},
		{row{"promised too late", "no row can allow what a deadline forbids"}, Virtual, second + 1, second + 1, second, []string{deadline}},
		{row{"too late", "virtual time has no hiccups"}, Virtual, second, second + 1, second, []string{promise, deadline}},
		{row{"slow", "computing takes time"}, Real, 0, second, second, nil},
		{row{"hiccup", "the machine had no time"}, Real, 0, second + hiccup, second, nil},
		{row{"more than a hiccup", "a deadline counts on sockets as well"}, Real, 0, second + hiccup + 1, second, []string{deadline}},
		{row{"a head", "the deadline began before the clock was read"}, Real, second, second - head, second, nil},
		{row{"too early in real time", "no machine is too fast"}, Real, second, second - head - 1, second, []string{promise}},
	}, func(t *testing.T, tc clockCase) {
		o, err := (&Promise{Class: "A", Took: metav1.Duration{Duration: tc.promised}}).Outcome(Combinations()[0])
		if err != nil {
			t.Fatal(err)
		}
		if lines := tc.clock.Diff(o.Took, tc.took, tc.limit); !slices.EqualFunc(lines, tc.want, strings.Contains) {
			t.Errorf("want lines about %q, got %q", tc.want, lines)
		}
	})
}

// TestBrief: different texts stay different when they are shortened.
func TestBrief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	many := slices.Repeat([]string{"w"}, 100)
	of := func(message string, warnings []string) Outcome {
		o := Outcome{Message: message, Warnings: slices.Clone(warnings)}
		o.brief(strings.NewReplacer("here", "{{address}}"))
		return o
	}
	if lines := Diff(of(long+"a", many), of(long+"b", append(many, "v"))); len(lines) != 2 {
		t.Errorf("want two differences, got %q", lines)
	}
	if got, want := of("here 127.0.0.1:80 at 2026-01-02T03:04:05Z", nil).Message, "{{address}} {{port}} at {{time}}"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
}
