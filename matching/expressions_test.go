package matching_test

import (
	"context"
	"testing"

	"example.com/gatehouse/admission"
)

func TestExpressionErrors(t *testing.T) {
	t.Parallel()
	const three = "[1, 2, 3].all(i, authorizer.requestResource.check('get').allowed())"
	runConditions(t, []conditionCase{
		holds("a feature of this release", "S-144: every feature ever introduced is known", "[1, 2].distinct() == [1, 2]", creating()),
		fails("text", "S-146: only a bool will do", "'x'", "compilation error: must evaluate to bool but got string"),
		fails("null", "S-146: only a bool will do", "null", "compilation error: must evaluate to bool but got null_type"),
		fails("dyn", "S-146: what may be a bool will not do", "object.spec.hostNetwork", "compilation error: must evaluate to bool but got dyn"),
		fails("syntax", "S-147: the compiler's own text with its pointer", "object.",
			"compilation error: compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'\n | object.\n | .......^"),
		fails("two errors", "S-147: all of them", "a == b",
			"compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'a' (in container '')\n | a == b\n | ^\n"+
				"ERROR: <input>:1:6: undeclared reference to 'b' (in container '')\n | a == b\n | .....^"),
		fails("second line", "S-147: lines are counted", "true &&\nx",
			"compilation error: compilation failed: ERROR: <input>:2:1: undeclared reference to 'x' (in container '')\n | x\n | ^"),
		fails("runtime", "S-148: the expression and what CEL said", "1 / 0 == 1", "expression '1 / 0 == 1' resulted in error: division by zero"),
		fails("no authorizer for the resource", "S-023: there is no authorizer to call", "authorizer.requestResource.check('get').allowed()",
			"expression 'authorizer.requestResource.check('get').allowed()' resulted in error: no such attribute(s): authorizer.requestResource"),
		fails("no authorizer", "S-023: there is no authorizer to call", "authorizer.group('').resource('pods').check('get').allowed()",
			"expression 'authorizer.group('').resource('pods').check('get').allowed()' resulted in error: no such attribute(s): authorizer"),
		func() conditionCase {
			c := fails("too costly by itself", "S-148: three checks are more than one expression may cost", three,
				"expression '"+three+"' resulted in error: operation cancelled: actual cost limit exceeded")
			c.input = allowing(new(int))
			return c
		}(),
	})
}

// The context of the request bounds the evaluation (S-154). It is looked at
// every hundred steps of a comprehension, so a short one is not interrupted.
func TestInterruption(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
	const long = ten + ".all(a, " + ten + ".all(b, " + ten + ".all(c, true)))"
	m := match(ctx, compile(asking(when(long))), request(creating()))
	want := forbidden(admission.ConditionsFailed, 1, "expression '"+long+"' resulted in error: operation interrupted: context canceled")
	if got := conditionResultOf(t, &m); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	m = match(ctx, compile(asking(when(ten+".all(a, true)"))), request(creating()))
	if !m.Matched() {
		t.Errorf("a short expression was stopped: %v", m.Err)
	}
}
