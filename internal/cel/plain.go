package cel

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Plain is a condition of the most common form: fields of object, oldObject and
// request that are compared with constants, and such comparisons combined.
//
// It gives the value and the cost that its Program would give, in a fraction of
// the time, or it gives nothing: wherever a field is missing or of an unusual
// type, the Program is the one to ask. So there is one place that knows what goes
// wrong in a condition, and in which words.
type Plain struct{ root term }

// term is a part of a plain condition whose value is a bool.
type term interface {
	// eval returns the value and what cel-go charges for finding it, if both
	// are known.
	eval(f *Fields) (value bool, cost uint64, known bool)
}

// Eval returns the value of the condition and its cost, if both are known.
func (p *Plain) Eval(f *Fields) (value bool, cost uint64, known bool) {
	return p.root.eval(f)
}

// plain returns an expression's plain form, or nil if it has none. The expression
// must be one that compiles.
func plain(parser *cel.Env, expression string) *Plain {
	parsed, issues := parser.Parse(expression)
	if issues.Err() != nil {
		return nil
	}
	root := readTerm(parsed.NativeRep().Expr())
	if root == nil {
		return nil
	}
	return &Plain{root}
}

// readTerm returns nil for what is not plain.
func readTerm(e ast.Expr) term {
	switch e.Kind() {
	case ast.SelectKind:
		return readPresence(e.AsSelect())
	case ast.CallKind:
		return readCall(e.AsCall())
	default:
		return nil
	}
}

func readCall(c ast.CallExpr) term {
	if c.IsMemberFunction() {
		return nil
	}
	args := c.Args()
	switch c.FunctionName() {
	case operators.LogicalNot:
		if of := readTerm(args[0]); of != nil {
			return not{of}
		}
	case operators.LogicalAnd, operators.LogicalOr:
		return readLogic(args, c.FunctionName() == operators.LogicalOr)
	case operators.Equals, operators.NotEquals:
		return readComparison(args, c.FunctionName() == operators.NotEquals)
	case operators.In:
		return readMembership(args)
	}
	return nil
}

func readLogic(args []ast.Expr, stopAt bool) term {
	terms := make([]term, len(args))
	for i, arg := range args {
		if terms[i] = readTerm(arg); terms[i] == nil {
			return nil
		}
	}
	return logic{terms, stopAt}
}

func readComparison(args []ast.Expr, negated bool) term {
	of, with := args[0], args[1]
	if of.Kind() == ast.LiteralKind {
		of, with = with, of
	}
	path, constant := readPath(of), readConstant(with)
	if path == nil || constant == nil {
		return nil
	}
	return comparison{path, constant, sizeOf(constant), negated}
}

func readMembership(args []ast.Expr) term {
	path := readPath(args[0])
	if path == nil || args[1].Kind() != ast.ListKind {
		return nil
	}
	list := args[1].AsList()
	if len(list.OptionalIndices()) > 0 || list.Size() == 0 {
		return nil
	}
	constants := make([]ref.Val, list.Size())
	for i, element := range list.Elements() {
		if constants[i] = readConstant(element); constants[i] == nil {
			return nil
		}
	}
	return membership{path, constants}
}

// readPresence reads has(a.b.c).
func readPresence(s ast.SelectExpr) term {
	if !s.IsTestOnly() {
		return nil
	}
	path := readPath(s.Operand())
	if path == nil {
		return nil
	}
	return presence{path, celtypes.String(s.FieldName())}
}

// parserOf is shared by the whole process like compilerOf. It knows the macros.
var parserOf = sync.OnceValue(func() *cel.Env {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
})
