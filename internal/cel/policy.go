package cel

import (
	"sync"

	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/mutation"
)

// Use says what an expression of an admission policy is for. It determines the
// type of the result and the variables.
type Use uint8

const (
	// MatchCondition is the use of a matchCondition: a bool. It has none of the
	// policy's variables.
	MatchCondition Use = 1 + iota
	// Validation is the use of a validation: a bool.
	Validation
	// Message is the use of a messageExpression: a string. It has no authorizer.
	Message
	// Annotation is the use of an audit annotation: a string or null.
	Annotation
	// ApplyConfiguration is the use of such a mutation: an Object.
	ApplyConfiguration
	// JSONPatch is the use of such a mutation: a list of JSONPatch.
	JSONPatch
)

// Composition says whether the expressions of a policy may use its variables.
type Composition uint8

const (
	// NoVariables is the composition of a ValidatingAdmissionPolicy without
	// variables: the name is undeclared.
	NoVariables Composition = 1 + iota
	// EmptyVariables is that of a MutatingAdmissionPolicy without variables: the
	// name is declared, and has no fields.
	EmptyVariables
	// OwnVariables is that of a policy with variables. Its checker takes about ten
	// milliseconds to create, because the types in its environments are its own.
	OwnVariables
)

// PolicyChecker checks the expressions of one admission policy, as Check does
// those of a webhook. Use NewPolicyChecker to create one. It is not safe for
// concurrent use.
type PolicyChecker struct {
	params   bool
	compiler celplugin.Compiler
	// composed is the compiler if the policy has variables; nil otherwise.
	composed *celplugin.CompositedCompiler
	// checked has the errors of the expressions so far: a list that repeats one
	// expression costs little.
	checked map[checkedExpression]error
}

type checkedExpression struct {
	use        Use
	expression string
	stored     bool
}

// NewPolicyChecker returns a checker. params says whether the policy has a
// paramKind. It panics if an environment cannot be built, which depends on
// constants only.
func NewPolicyChecker(params bool, composition Composition) *PolicyChecker {
	c := &PolicyChecker{
		params: params, compiler: sharedCompiler(), checked: map[checkedExpression]error{},
	}
	switch composition {
	case NoVariables:
	case EmptyVariables:
		c.compiler = emptyComposition()
	case OwnVariables:
		c.composed = newComposition()
		c.compiler = c.composed
	}
	return c
}

// emptyComposition returns the compiler of all policies without variables.
var emptyComposition = sync.OnceValue(newComposition)

func newComposition() *celplugin.CompositedCompiler {
	c, err := celplugin.NewCompositedCompiler(baseEnvironment())
	if err != nil {
		panic(err)
	}
	return c
}

// Variable returns the error of a variable's expression, and declares the
// variable for the expressions that are checked later, whether or not there is
// an error. The checker must be for OwnVariables, and the variables come first.
func (c *PolicyChecker) Variable(name, expression string, stored bool) error {
	v := variable{accessor{expression, []*cel.Type{cel.AnyType, cel.DynType}}, name}
	declared := celplugin.OptionalVariableDeclarations{HasParams: c.params, HasAuthorizer: true}
	return errorOf(c.composed.CompileAndStoreVariable(v, declared, modeOf(stored)))
}

// Check returns the error of an expression; see the function Check.
func (c *PolicyChecker) Check(use Use, expression string, stored bool) error {
	key := checkedExpression{use, expression, stored}
	err, known := c.checked[key]
	if !known {
		err = c.check(key)
		c.checked[key] = err
	}
	return err
}

func (c *PolicyChecker) check(key checkedExpression) error {
	compiler := c.compiler
	if key.use == MatchCondition {
		compiler = sharedCompiler()
	}
	declared := celplugin.OptionalVariableDeclarations{
		HasParams:     c.params,
		HasAuthorizer: key.use != Message,
		HasPatchTypes: key.use == ApplyConfiguration || key.use == JSONPatch,
	}
	return errorOf(compiler.CompileCELExpression(accessor{key.expression, key.use.types()},
		declared, modeOf(key.stored)))
}

// types returns the types that the result may have.
func (u Use) types() []*cel.Type {
	switch u {
	case MatchCondition, Validation:
		return []*cel.Type{cel.BoolType}
	case Message:
		return []*cel.Type{cel.StringType}
	case Annotation:
		return []*cel.Type{cel.StringType, cel.NullType}
	case ApplyConfiguration:
		return []*cel.Type{celtypes.NewObjectType(mutation.ObjectTypeName)}
	case JSONPatch:
		return []*cel.Type{cel.ListType(celtypes.NewObjectType(mutation.JSONPatchTypeName))}
	}
	return nil
}

// modeOf returns the environment of a new or a stored expression.
func modeOf(stored bool) environment.Type {
	if stored {
		return environment.StoredExpressions
	}
	return environment.NewExpressions
}

// errorOf returns the error of a result: a nil *cel.Error must not become a
// non-nil error.
func errorOf(result celplugin.CompilationResult) error {
	if result.Error != nil {
		return result.Error
	}
	return nil
}

// accessor is an expression whose result has one of several types.
type accessor struct {
	expression string
	results    []*cel.Type
}

func (a accessor) GetExpression() string { return a.expression }

func (a accessor) ReturnTypes() []*cel.Type { return a.results }

// variable is the expression of a variable.
type variable struct {
	accessor
	name string
}

func (v variable) GetName() string { return v.name }
