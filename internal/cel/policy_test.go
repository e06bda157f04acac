package cel

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// policyCase is an expression of a policy that has params, and the variable a,
// which is an int.
type policyCase struct {
	row
	use        Use
	expression string
	stored     bool
	// want is the error in a policy with variables.
	want string
}

func TestPolicyChecker(t *testing.T) {
	t.Parallel()
	const undeclared = "compilation failed: ERROR: <input>:1:1: undeclared reference to "
	testtable.Run(t, []policyCase{
		{row{"condition", "a bool"}, MatchCondition, "params.a == 1", false, ""},
		{row{"condition with a variable", "kube-apiserver declares none when it validates"}, MatchCondition, "variables", false,
			undeclared + "'variables' (in container '')\n | variables\n | ^"},
		{row{"validation", "a bool, of a variable"}, Validation, "variables.a == 1", false, ""},
		{row{"type of a variable", "it is known"}, Validation, "variables.a", false, "must evaluate to bool but got int"},
		{row{"message", "a string"}, Message, "'a'", false, ""},
		{row{"message that is none", "a string"}, Message, "1", false, "must evaluate to string but got int"},
		{row{"authorizer in a message", "not declared"}, Message, "authorizer", false, undeclared + "'authorizer' (in container '')\n | authorizer\n | ^"},
		{row{"annotation", "a string"}, Annotation, "'a'", false, ""},
		{row{"no annotation", "null"}, Annotation, "null", false, ""},
		{row{"annotation that is neither", "a string or null"}, Annotation, "1", false, "must evaluate to one of [string null_type] but got int"},
		{row{"apply configuration", "an Object"}, ApplyConfiguration, "Object{spec: Object.spec{a: variables.a}}", false, ""},
		{row{"apply configuration that is none", "an Object"}, ApplyConfiguration, "1", false, "must evaluate to Object but got int"},
		{row{"patch", "a list of operations"}, JSONPatch, "[JSONPatch{op: 'remove', path: '/a'}]", false, ""},
		{row{"patch that is none", "a list of operations"}, JSONPatch, "[1]", false, "must evaluate to list(JSONPatch) but got list(int)"},
		{row{"new expression", "it may not use what v1.37 introduces"}, Validation, "[1].includes(1)", false,
			"compilation failed: ERROR: <input>:1:13: undeclared reference to 'includes' (in container '')\n | [1].includes(1)\n | ............^"},
		{row{"stored expression", "it may use everything"}, Validation, "[1].includes(1)", true, ""},
	}, func(t *testing.T, tc policyCase) {
		c := NewPolicyChecker(true, OwnVariables)
		if err := c.Variable("a", "1", false); err != nil {
			t.Fatal(err)
		}
		// The second time, the error is remembered.
		for range 2 {
			if got := testtable.Text(c.Check(tc.use, tc.expression, tc.stored)); got != tc.want {
				t.Errorf("error is\n%s\nwant\n%s", got, tc.want)
			}
		}
		if got := testtable.Text(c.Check(tc.use, tc.expression+" +", tc.stored)); got == "" {
			t.Error("another expression has the same result")
		}
	})
}

// TestStoredIsNotNew keeps the two results of an expression apart.
func TestStoredIsNotNew(t *testing.T) {
	t.Parallel()
	c := NewPolicyChecker(false, NoVariables)
	const latest = "[1].includes(1)"
	if err := c.Check(Validation, latest, true); err != nil {
		t.Error(err)
	}
	if err := c.Check(Validation, latest, false); err == nil {
		t.Error("the new expression has no error")
	}
}

// compositionCase is an expression about variables.
type compositionCase struct {
	row
	composition Composition
	want        string
}

func TestComposition(t *testing.T) {
	t.Parallel()
	const (
		undeclared = "compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.a == 1\n | ^"
		noField    = "compilation failed: ERROR: <input>:1:10: undefined field 'a'\n | variables.a == 1\n | .........^"
	)
	testtable.Run(t, []compositionCase{
		{row{"none", "the name is unknown"}, NoVariables, undeclared},
		{row{"empty", "the field is unknown"}, EmptyVariables, noField},
		{row{"own", "what another checker declares is not seen"}, OwnVariables, noField},
	}, func(t *testing.T, tc compositionCase) {
		other := NewPolicyChecker(false, OwnVariables)
		if err := other.Variable("a", "1", false); err != nil {
			t.Fatal(err)
		}
		c := NewPolicyChecker(false, tc.composition)
		if got := testtable.Text(c.Check(Validation, "variables.a == 1", false)); got != tc.want {
			t.Errorf("error is\n%s\nwant\n%s", got, tc.want)
		}
		if got := testtable.Text(other.Check(Validation, "variables.a == 1", false)); got != "" {
			t.Errorf("the other checker's error is %s", got)
		}
	})
}

// TestVariables has what a variable may be.
func TestVariables(t *testing.T) {
	t.Parallel()
	c := NewPolicyChecker(false, OwnVariables)
	for _, v := range []struct {
		name, expression string
		stored           bool
		want             string
	}{
		{"any", "object.a", false, ""},
		{"object", "namespaceObject", false, ""},
		{"list", "[1]", false, ""},
		{"previous", "variables.list[0] + 1", false, ""},
		{"params", "params", false, "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params\n | ^"},
		{"stored", "[1].includes(1)", true, ""},
	} {
		if got := testtable.Text(c.Variable(v.name, v.expression, v.stored)); got != v.want {
			t.Errorf("%s: error is %s, want %s", v.name, got, v.want)
		}
	}
}
