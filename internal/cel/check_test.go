package cel

import (
	"errors"
	"testing"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"example.com/gatehouse/internal/testutil/testtable"
)

// checkCase is an expression and the API server's verdict, when it is new and
// when it was stored before.
type checkCase struct {
	row
	expression  string
	new, stored string
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const (
		noBool = "must evaluate to bool but got int"
		syntax = "compilation failed: ERROR: <input>:1:3: Syntax error: no viable alternative at input '.'\n | a.\n | ..^"
		params = "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^"
		// includes came with the lists of 1.37, which a server of 1.36 beside
		// this one would not know.
		includes = "compilation failed: ERROR: <input>:1:13: undeclared reference to 'includes' (in container '')\n | [1].includes(1)\n | ............^"
	)
	testtable.Run(t, []checkCase{
		{row{"plain", "most expressions use nothing new"}, "object.metadata.name == 'a'", "", ""},
		{row{"authorizer", "R-050: declared"}, "authorizer.requestResource.check('get').allowed()", "", ""},
		{row{"of this version only", "R-050: a server of the version before could not evaluate it"}, "[1].includes(1)", includes, ""},
		{row{"of the version before", "R-050: what both servers know may be written"}, "[3, 1].sort() == [1, 3]", "", ""},
		{row{"not a bool", "R-051: the compiler's own words"}, "6", noBool, noBool},
		{row{"syntax", "R-051: with its position"}, "a.", syntax, syntax},
		{row{"params", "R-050: policies have them, webhooks do not"}, "params == null", params, params},
	}, func(t *testing.T, tc checkCase) {
		for stored, want := range map[bool]string{false: tc.new, true: tc.stored} {
			err := Check(tc.expression, stored)
			if got := testtable.Text(err); got != want {
				t.Errorf("stored %t: error is\n%s\nwant\n%s", stored, got, want)
			}
			if want == "" {
				continue
			}
			var problem *apiservercel.Error
			if !errors.As(err, &problem) || problem.Type != apiservercel.ErrorTypeInvalid || problem.Detail != want {
				t.Errorf("stored %t: error is %#v, want an invalid expression with that detail", stored, err)
			}
		}
	})
}
