package registration

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"example.com/gatehouse/internal/testutil/testtable"
)

func rulesOfConditions() []ruleCase {
	const (
		first  = `webhooks[0].matchConditions[0]`
		second = `webhooks[0].matchConditions[1]`
	)
	long := strings.Repeat("a", 64)
	undeclared := func(name string, column int) string {
		return fmt.Sprintf("%s.expression: Invalid value: %q: compilation failed: ERROR: <input>:1:%d: undeclared reference to '%s' (in container '')\n | %s\n | %s^",
			first, name+" == null", column, name, name+" == null", strings.Repeat(".", column-1))
	}
	return []ruleCase{
		{row{"64 conditions", "R-036: the limit itself"}, hooks(fine(conditions(64))), ""},
		{row{"name with a prefix", "R-036: a qualified name"}, hooks(fine(when("example.com/a.B_c", "true"))), ""},
		{row{"long name of a condition", "R-036: 63 are enough"}, hooks(fine(when(long, "true"))),
			first + `.name: Invalid value: "` + long + `": name part must be no more than 63 bytes`},
		{row{"all of a condition", "R-036: expression, name, duplicate"}, hooks(fine(when("-", "true"), when("-", ""))), list(
			first+`.name: Invalid value: "-": `+qualifiedRule, second+`.expression: Required value`,
			second+`.name: Invalid value: "-": `+qualifiedRule, second+`.name: Duplicate value: "-"`)},
		{row{"blanks around an expression", "R-036: they are not part of it"}, hooks(fine(when("c", "\n  true\t"))), ""},
		{row{"what is declared", "R-050: all of it"}, hooks(fine(when("c",
			"object == oldObject || request.operation == 'CREATE' || namespaceObject == null || "+
				"authorizer.path('/a').check('get').allowed() || authorizer.requestResource.check('get').allowed()"))), ""},
		{row{"params", "R-050: not declared"}, hooks(fine(when("c", "params == null"))), undeclared("params", 1)},
		{row{"variables", "R-050: not declared"}, hooks(fine(when("c", "variables == null"))), undeclared("variables", 1)},
		{row{"an expensive expression", "R-050: costs are not estimated when it is written"},
			hooks(fine(when("c", "object.a.all(x, object.b.all(y, object.c.all(z, x + y + z == x)))"))), ""},
		{row{"what may be a bool", "R-051: must be one"}, hooks(fine(when("c", "object.a"))),
			first + `.expression: Invalid value: "object.a": must evaluate to bool but got dyn`},
		{row{"conditions before versions", "R-037: versions come last"}, hooks(fine(when("", "true"), versions())),
			list(first+`.name: Required value`, `webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1`)},
	}
}

// compilerCase is something that a compiler can say.
type compilerCase struct {
	row
	err  error
	want string
}

// TestCompilerErrors has what the real compiler never says of an expression
// that is not empty, or should not.
func TestCompilerErrors(t *testing.T) {
	t.Parallel()
	const at = `webhooks[0].matchConditions[0].expression: `
	problem := func(kind apiservercel.ErrorType) error { return &apiservercel.Error{Type: kind, Detail: "detail"} }
	testtable.Run(t, []compilerCase{
		{row{"nothing", "R-051: the expression is accepted"}, nil, ""},
		{row{"invalid", "R-051: the expression and the detail"}, problem(apiservercel.ErrorTypeInvalid), at + `Invalid value: "e": detail`},
		{row{"wrapped", "R-051: the compiler's error counts"}, fmt.Errorf("x: %w", problem(apiservercel.ErrorTypeInvalid)), at + `Invalid value: "e": detail`},
		{row{"required", "R-051: if a compiler finds it empty"}, problem(apiservercel.ErrorTypeRequired), at + `Required value: detail`},
		{row{"internal", "R-051: not the writer's fault"}, problem(apiservercel.ErrorTypeInternal), at + `Internal error: detail`},
		{row{"unknown type", "R-051: not the writer's fault"}, problem("x"), at + `Internal error: unsupported error type: detail`},
		{row{"unknown error", "R-051: not the writer's fault"}, errors.New("broken"), at + `Internal error: unsupported error type: broken`},
	}, func(t *testing.T, tc compilerCase) {
		for _, c := range bothKinds(config(), hooks(fine(when("c", " e ")))) {
			check := func(expression string, stored bool) error {
				if expression != "e" || stored {
					t.Errorf("asked about %q, stored %t", expression, stored)
				}
				return tc.err
			}
			wantText(t, c, validateCreate(viewed(t, c), check), tc.want)
		}
	})
}
