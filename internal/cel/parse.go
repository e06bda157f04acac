package cel

import "github.com/google/cel-go/common/ast"

// Parse returns the syntax tree of an expression of a webhook or a policy, with
// its macros expanded. It checks no types.
func Parse(expression string) (ast.Expr, error) {
	parsed, issues := conditionEnvs().counting.Parse(expression)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	return parsed.NativeRep().Expr(), nil
}
