package cel

import (
	"testing"

	celtypes "github.com/google/cel-go/common/types"

	"example.com/gatehouse/internal/testutil/testtable"
)

// compileCase is an expression and the reason why it is rejected, if it is.
type compileCase struct {
	row
	expression string
	err        string
}

func TestCompile(t *testing.T) {
	t.Parallel()
	c := NewCompiler()
	undeclared := func(name string) string {
		return "compilation failed: ERROR: <input>:1:1: undeclared reference to '" + name + "' (in container '')\n | " + name + " == null\n | ^"
	}
	testtable.Run(t, []compileCase{
		{row{"bool", "S-146: a bool is what a condition gives"}, "true", ""},
		{row{"comparison", "S-146: comparing what is dynamic gives a bool"}, "object.spec.hostNetwork == true", ""},
		{row{"object", "S-140: declared"}, "object == null", ""},
		{row{"oldObject", "S-140: declared"}, "oldObject == null", ""},
		{row{"request", "S-140: declared"}, "request.operation == 'CREATE'", ""},
		{row{"namespaceObject", "S-140: declared"}, "namespaceObject == null", ""},
		{row{"authorizer", "S-140: declared"}, "authorizer.path('/healthz').check('get').allowed()", ""},
		{row{"authorizer.requestResource", "S-140: declared"}, "authorizer.requestResource.check('get').allowed()", ""},
		{row{"params", "S-140: not declared"}, "params == null", undeclared("params")},
		{row{"variables", "S-140: not declared"}, "variables == null", undeclared("variables")},
		{row{"dyn", "S-146: what may be a bool is not one"}, "object.spec.hostNetwork", "must evaluate to bool but got dyn"},
		{row{"explicit dyn", "S-146: not even if it can be nothing else"}, "dyn(true)", "must evaluate to bool but got dyn"},
		{row{"text", "S-146: only bool"}, "'true'", "must evaluate to bool but got string"},
		{row{"number", "S-146: only bool"}, "1", "must evaluate to bool but got int"},
		{row{"null", "S-146: only bool"}, "null", "must evaluate to bool but got null_type"},
		{row{"list", "S-146: only bool"}, "[true]", "must evaluate to bool but got list(bool)"},
		{row{"optional", "S-146: a bool that may be absent is none"}, "optional.of(true)", "must evaluate to bool but got optional_type(bool)"},
		{row{"field of request", "S-141: fields of request are known at compile time"}, "request.uid == 'x'",
			"compilation failed: ERROR: <input>:1:8: undefined field 'uid'\n | request.uid == 'x'\n | .......^"},
		{row{"syntax", "S-147: the compiler points at it"}, "object.",
			"compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'\n | object.\n | .......^"},
		{row{"bad regular expression", "S-145: literals are checked when compiling"}, "'x'.matches('[')",
			"compilation failed: ERROR: <input>:1:13: invalid matches argument\n | 'x'.matches('[')\n | ............^"},
		{row{"mixed list", "S-145: lists have elements of one type"}, "[1, 'a'].size() == 2",
			"compilation failed: ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'a'].size() == 2\n | ....^"},
	}, func(t *testing.T, tc compileCase) {
		p := c.Compile(tc.expression)
		got := ""
		if p.Err != nil {
			got = p.Err.Error()
		}
		if got != tc.err {
			t.Errorf("error is\n%s\nwant\n%s", got, tc.err)
		}
		if (p.Program != nil) != (tc.err == "") {
			t.Errorf("Program = %v beside the error %q", p.Program, got)
		}
		if p.Expression != tc.expression {
			t.Errorf("Expression = %q, want %q", p.Expression, tc.expression)
		}
	})
}

// libraryCase is an expression that is true if its library is there.
type libraryCase struct {
	row
	expression string
}

func TestLibraries(t *testing.T) {
	t.Parallel()
	c := NewCompiler()
	testtable.Run(t, []libraryCase{
		{row{"urls", "S-145: always"}, "url('https://a.example.com:8443/p').getHost() == 'a.example.com:8443'"},
		{row{"regex", "S-145: always"}, "'abc123'.find('[0-9]+') == '123'"},
		{row{"lists", "S-145: always, in one version or another"}, "[1, 2, 3].sum() == 6 && [1, 2].isSorted()"},
		{row{"numbers of two types", "S-145: since 1.28"}, "1 < 1.5 && 2 > 1u"},
		{row{"optional", "S-145: since 1.28"}, "{'a': 1}[?'b'].orValue(7) == 7"},
		{row{"quantity", "S-145: since 1.28"}, "quantity('1Gi').isGreaterThan(quantity('1000Mi'))"},
		{row{"strings", "S-145: version 2 since 1.29"}, "'%d-%s'.format([1, 'a']) == '1-a' && 'a,b'.split(',') == ['a', 'b']"},
		{row{"sets", "S-145: since 1.29"}, "sets.contains([1, 2, 3], [3, 1])"},
		{row{"ip", "S-145: since 1.30"}, "ip('127.0.0.1').isLoopback() && !isIP('127.0.0')"},
		{row{"cidr", "S-145: since 1.30"}, "cidr('10.0.0.0/8').containsIP('10.1.2.3')"},
		{row{"format", "S-145: since 1.31"}, "!format.dns1123Label().validate('abc').hasValue()"},
		{row{"two variables", "S-145: since 1.32"}, "{'a': 1}.all(k, v, k == 'a' && v == 1)"},
		{row{"semver", "S-145: since 1.33"}, "semver('1.2.3').isLessThan(semver('1.10.0'))"},
		{row{"ext lists", "S-145: since 1.34"}, "[3, 1, 2].sort() == [1, 2, 3] && [1, 1].distinct() == [1]"},
		{row{"time zone", "S-145: times are in UTC"}, "timestamp('2020-01-01T00:30:00Z').getHours() == 0"},
	}, func(t *testing.T, tc libraryCase) {
		p := c.Compile(tc.expression)
		if p.Err != nil {
			t.Fatalf("Err = %v", p.Err)
		}
		value, details, err := p.Program.ContextEval(t.Context(), map[string]any{})
		if err != nil || value != celtypes.True {
			t.Errorf("gave %v and error %v, want true", value, err)
		}
		// The cost is what budgets are charged with, so it must be known.
		if details == nil || details.ActualCost() == nil {
			t.Error("the cost is not tracked")
		}
	})
}
