package typecheck

import (
	"errors"

	"github.com/google/cel-go/cel"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	apicel "k8s.io/apiserver/pkg/cel"
	celenv "k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// variable is a variable of an expression. It is dynamic if of is nil.
type variable struct{ of *apicel.DeclType }

func (v *variable) celType() *cel.Type {
	if v.of == nil {
		return cel.DynType
	}
	return v.of.CelType()
}

// environment compiles the expressions of a policy for objects of one kind.
type environment struct {
	kind     schema.GroupVersionKind
	composed *celplugin.CompositedCompiler
}

// newEnvironment returns the environment for objects of a type. params is nil if
// the policy has none.
func newEnvironment(
	kind schema.GroupVersionKind, object *apicel.DeclType, params *variable,
) (*environment, error) {
	vars := map[string]*variable{
		celplugin.NamespaceVarName: {celplugin.BuildNamespaceType()},
		celplugin.RequestVarName:   {celplugin.BuildRequestType()},
		celplugin.ObjectVarName:    {object}, celplugin.OldObjectVarName: {object},
	}
	if params != nil {
		vars[celplugin.ParamsVarName] = params
	}
	options := []cel.EnvOption{cel.Variable(celplugin.AuthorizerVarName, library.AuthorizerType)}
	var types []*apicel.DeclType
	for name, v := range vars {
		options = append(options, cel.Variable(name, v.celType()))
		if v.of != nil {
			types = append(types, v.of)
		}
	}
	base := celenv.MustBaseEnvSet(celenv.DefaultCompatibilityVersion())
	set, err := base.Extend(celenv.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0), // in every version
		EnvOptions:        options, DeclTypes: types,
	})
	if err != nil {
		return nil, err
	}
	composed, err := celplugin.NewCompositedCompilerForTypeChecking(set)
	if err != nil {
		return nil, err
	}
	e := &environment{kind, composed}
	composed.Compiler = typed{e}
	return e, nil
}

// addVariables declares a policy's variables, each for those after it. The type
// of one that does not compile is dynamic.
func (e *environment) addVariables(variables []registrationv1.Variable) {
	for i := range variables {
		e.composed.CompileAndStoreVariable(named{variables[i]},
			celplugin.OptionalVariableDeclarations{}, celenv.StoredExpressions)
	}
}

// compile returns the type of an expression, or its faults.
func (e *environment) compile(expression string) (*cel.Type, error) {
	env, err := e.composed.Env(celenv.StoredExpressions)
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(expression)
	if issues != nil {
		return nil, errors.New(issues.String())
	}
	return checked.OutputType(), nil
}

// typed is the compiler of variables. Any type of result will do.
type typed struct{ *environment }

// CompileCELExpression implements celplugin.Compiler. The other arguments are
// parts of the environment.
func (t typed) CompileCELExpression(e celplugin.ExpressionAccessor,
	_ celplugin.OptionalVariableDeclarations, _ celenv.Type,
) celplugin.CompilationResult {
	result, _ := t.compile(e.GetExpression()) // upstream does not warn of variables
	return celplugin.CompilationResult{OutputType: result}
}

// named is a variable for CompositedCompiler.
type named struct{ registrationv1.Variable }

// GetName implements celplugin.NamedExpressionAccessor.
func (n named) GetName() string { return n.Name }

// GetExpression implements celplugin.ExpressionAccessor.
func (n named) GetExpression() string { return n.Expression }

// ReturnTypes implements celplugin.ExpressionAccessor.
func (named) ReturnTypes() []*cel.Type { return []*cel.Type{cel.AnyType} }
