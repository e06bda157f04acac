package matching_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

const (
	// perCheck is what one authorizer check costs (S-148a).
	perCheck = 350_000
	// budget is what all conditions of a webhook may cost together (S-149).
	budget = 2_500_000

	outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run"
)

// checks are n different conditions with one authorizer check each.
func checks(n int) []string {
	expressions := make([]string, n)
	for i := range expressions {
		expressions[i] = fmt.Sprintf("authorizer.requestResource.check('v%d').allowed()", i)
	}
	return expressions
}

func TestSharedBudget(t *testing.T) {
	t.Parallel()
	const failing = "1 / 0 == 1"
	same := strings.Split(strings.Repeat(checks(1)[0]+"\n", 8), "\n")[:8]
	aborted := forbidden(admission.ConditionsAborted, 0, outOfBudget)
	skipped := conditionResult{verdict: stoppedAt(admission.StageConditions), Verdict: admission.ConditionsAborted, Why: outOfBudget}
	fallen := skipped
	fallen.verdict = passed
	runConditions(t, []conditionCase{{
		row:     row{"seven checks", "S-148a: seven times 350,000 is within the budget"},
		webhook: asking(when(checks(7)...)), ask: creating(), input: allowing(new(int)), want: conditionsTrue,
	}, {
		row:     row{"eight checks", "S-148a: eight are more than all conditions may cost together"},
		webhook: asking(when(checks(8)...)), ask: creating(), input: allowing(new(int)), want: aborted,
	}, {
		row:     row{"eight equal checks", "S-149: what is verdict once is paid for every time"},
		webhook: asking(when(same...)), ask: creating(), input: allowing(new(int)), want: aborted,
	}, {
		row:     row{"false before the end", "S-149: an abort comes before a false that has been seen"},
		webhook: asking(when("false"), when(checks(8)...)), ask: creating(), input: allowing(new(int)), want: aborted,
	}, {
		row:     row{"errors before the end", "S-149: errors before an abort are not counted"},
		webhook: asking(when(failing), when(checks(8)...)), ask: creating(), input: allowing(new(int)), want: aborted,
	}, {
		row:     row{"Fail", "S-151: Fail makes the abort the answer"},
		webhook: asking(when(checks(8)...), failurePolicy("Fail")), ask: creating(), input: allowing(new(int)), want: aborted,
	}, {
		row:     row{"Ignore", "S-151: Ignore skips the webhook"},
		webhook: asking(when(checks(8)...), ignoring), ask: creating(), input: allowing(new(int)), want: skipped,
	}, {
		row:     row{"unknown policy", "S-152: errors of conditions do not exclude the webhook"},
		webhook: asking(when(checks(8)...), failurePolicy("Shrug")), ask: creating(), input: allowing(new(int)), want: fallen,
	}})
}

// Nothing is verdict after the budget has run out (S-149): the ninth check is
// never made, and the eighth was made only to learn its cost.
func TestAbortStopsEvaluation(t *testing.T) {
	t.Parallel()
	var made int
	m := match(t.Context(), compile(asking(when(checks(9)...))), request(creating(), allowing(&made)))
	if made != 8 {
		t.Errorf("%d checks were made, want 8", made)
	}
	if got := len(m.Conditions.Results); got != 7 {
		t.Errorf("%d results, want the 7 that were paid for", got)
	}
	for _, r := range m.Conditions.Results {
		if r.Cost < perCheck || r.Cost >= perCheck+10 {
			t.Errorf("condition %s cost %d, want little more than %d", r.Name, r.Cost, perCheck)
		}
	}
}

// Each webhook has its own budget. The second webhook has one condition more, so that
// its conditions are evaluated and not those of the first reused.
func TestBudgetIsPerWebhook(t *testing.T) {
	t.Parallel()
	r := request(creating(), allowing(new(int)))
	compiler := matching.NewCompiler()
	for _, conditions := range [][]string{checks(7), append(checks(7), "true")} {
		for _, w := range compiler.Compile([]*admission.Webhook{asking(when(conditions...))}) {
			if m := match(t.Context(), w, r); !m.Matched() {
				t.Errorf("stage %v, error %v, want a match", m.Stage, m.Err)
			}
		}
	}
}

// The whole budget may be spent, and what costs nothing may follow (S-148a).
func TestExactBudget(t *testing.T) {
	t.Parallel()
	// Comparing texts costs by their length, so that any cost can be had.
	const compare = "object.metadata.annotations.a == object.metadata.annotations.a"
	const times = 5
	annotated := func(length int) testRequest {
		p := pod(nil)
		p.Annotations = map[string]string{"a": strings.Repeat("x", length)}
		return creating(func(a *testRequest) { a.object = p })
	}
	match := func(length int, expressions ...string) admission.Match {
		return match(t.Context(), compile(asking(when(expressions...))), request(annotated(length)))
	}
	probe := match(10, compare)
	overhead := int(probe.Conditions.Results[0].Cost) - 1
	length := 10 * (budget/times - overhead)
	exact := []string{compare, compare, compare, compare, compare}

	m := match(length, append(exact, "true")...)
	var spent uint64
	for _, r := range m.Conditions.Results {
		spent += r.Cost
	}
	if spent != budget || !m.Matched() {
		t.Errorf("spent %d with error %v, want %d and a match", spent, m.Err, budget)
	}
	m = match(length, append(exact, "request.dryRun == false")...)
	if want := forbidden(admission.ConditionsAborted, 0, outOfBudget); conditionResultOf(t, &m) != want {
		t.Errorf("one more: got %+v, want %+v", conditionResultOf(t, &m), want)
	}
}
