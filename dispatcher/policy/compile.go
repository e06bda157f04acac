package policy

import (
	"fmt"
	"slices"
	"sync"

	celgo "github.com/google/cel-go/cel"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// expressions compiles the expressions of one policy, so that later ones can
// use its variables. Each has a name in the records.
type expressions struct {
	*cel.CompositedCompiler
	options cel.OptionalVariableDeclarations
}

// newExpressions returns a compiler with the variables of a policy.
func newExpressions(hasParams bool, variables []registrationv1.Variable) (*expressions, error) {
	composited, err := newCompiler(len(variables) > 0)
	if err != nil {
		return nil, err
	}
	options := cel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true}
	e := &expressions{composited, options}
	for i := range variables {
		composited.Compiler = e.named(fmt.Sprintf("variables[%d].expression", i))
		composited.CompileAndStoreVariable(&variable{
			expression{variables[i].Expression, []*celgo.Type{celgo.AnyType, celgo.DynType}},
			variables[i].Name,
		}, e.options, environment.StoredExpressions)
	}
	return e, nil
}

// compilers are those of policies without variables, by version. One takes ten
// milliseconds to make, and only variables change it.
var compilers sync.Map

// newCompiler returns a compiler with the environment for what is stored, of the
// version that the process emulates. Only the compiler for variables may be
// changed.
func newCompiler(forVariables bool) (*cel.CompositedCompiler, error) {
	version := environment.DefaultCompatibilityVersion()
	if c, ok := compilers.Load(version.String()); ok && !forVariables {
		return c.(*cel.CompositedCompiler), nil
	}
	c, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(version))
	if err == nil && !forVariables {
		compilers.Store(version.String(), c)
	}
	return c, err
}

// named returns a compiler of programs that record their results as those of a
// field.
func (e *expressions) named(field string) cel.Compiler {
	next := e.Compiler
	if n, ok := next.(*namingCompiler); ok {
		next = n.Compiler
	}
	return &namingCompiler{next, field}
}

// namingCompiler compiles programs that record their results.
type namingCompiler struct {
	cel.Compiler
	field string
}

// CompileCELExpression implements cel.Compiler.
func (c *namingCompiler) CompileCELExpression(
	e cel.ExpressionAccessor, o cel.OptionalVariableDeclarations, mode environment.Type,
) cel.CompilationResult {
	r := c.Compiler.CompileCELExpression(e, o, mode)
	if r.Program != nil {
		r.Program = &recordingProgram{Program: r.Program, field: c.field}
	}
	return r
}

// condition compiles expressions that are evaluated together. format is that of
// their fields' names, with their index. An accessor may be nil.
func (e *expressions) condition(
	format string, accessors []cel.ExpressionAccessor, authorizer bool,
) cel.ConditionEvaluator {
	options := e.options
	options.HasAuthorizer = authorizer
	results := make([]cel.CompilationResult, len(accessors))
	for i, a := range accessors {
		if a != nil {
			results[i] = e.named(fmt.Sprintf(format, i)).
				CompileCELExpression(a, options, environment.StoredExpressions)
		}
	}
	return &composedCondition{cel.NewCondition(results), e.CompositedCompiler}
}

// matcher compiles matchConditions. It returns nil if there are none.
func (e *expressions) matcher(
	name string, conditions []registrationv1.MatchCondition,
	failurePolicy *registrationv1.FailurePolicyType,
) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	accessors := make([]cel.ExpressionAccessor, len(conditions))
	for i := range conditions {
		accessors[i] = (*matchconditions.MatchCondition)(&conditions[i])
	}
	return matchconditions.NewMatcher(e.condition("matchConditions[%d].expression", accessors, true),
		failurePolicy, "policy", "validate", name)
}

// compile compiles what both kinds of policy have.
func (p *policy) compile(
	variables []registrationv1.Variable, conditions []registrationv1.MatchCondition,
	failurePolicy *registrationv1.FailurePolicyType,
) {
	p.expressions, p.compileErr = newExpressions(p.paramKind != nil, variables)
	if p.compileErr == nil {
		p.conditions = p.matcher(p.name, conditions, failurePolicy)
	}
}

// compileValidations compiles the validations and audit annotations.
func (p *policy) compileValidations(s *registrationv1.ValidatingAdmissionPolicySpec) {
	if p.compileErr != nil {
		return
	}
	checks := make([]cel.ExpressionAccessor, len(s.Validations))
	messages := make([]cel.ExpressionAccessor, len(s.Validations))
	for i, v := range s.Validations {
		checks[i] = &expression{v.Expression, []*celgo.Type{celgo.BoolType}}
		if v.MessageExpression != "" {
			messages[i] = &expression{v.MessageExpression, []*celgo.Type{celgo.StringType}}
		}
	}
	annotations := make([]cel.ExpressionAccessor, len(s.AuditAnnotations))
	for i, a := range s.AuditAnnotations {
		annotations[i] = &expression{a.ValueExpression, []*celgo.Type{celgo.StringType, celgo.NullType}}
	}
	p.validating = validations{
		spec: s.Validations, annotationSpec: s.AuditAnnotations,
		checks: p.condition("validations[%d].expression", checks, true),
	}
	// An evaluation without expressions would take as long as one with a short
	// expression.
	if slices.ContainsFunc(messages, func(a cel.ExpressionAccessor) bool { return a != nil }) {
		p.validating.messages = p.condition("validations[%d].messageExpression", messages, false)
	}
	if len(annotations) > 0 {
		p.validating.annotations = p.condition("auditAnnotations[%d].valueExpression", annotations, true)
	}
}

// compileMutations compiles the mutations.
func (p *policy) compileMutations(s *registrationv1.MutatingAdmissionPolicySpec) {
	p.mutating = mutations{
		count:       len(s.Mutations),
		reinvocable: s.ReinvocationPolicy == registrationv1.IfNeededReinvocationPolicy,
	}
	if p.compileErr != nil {
		return
	}
	for i := range s.Mutations {
		if m := p.mutation(i, &s.Mutations[i]); m != nil {
			p.mutating.patchers = append(p.mutating.patchers, m)
		}
	}
}

// expression is an expression and the types that it may have.
type expression struct {
	text  string
	types []*celgo.Type
}

// GetExpression implements cel.ExpressionAccessor.
func (e *expression) GetExpression() string { return e.text }

// ReturnTypes implements cel.ExpressionAccessor.
func (e *expression) ReturnTypes() []*celgo.Type { return e.types }

// variable is an expression with a name.
type variable struct {
	expression
	name string
}

// GetName implements cel.NamedExpressionAccessor.
func (v *variable) GetName() string { return v.name }

// mutation compiles a mutation. It returns nil if the mutation has none of its
// type, as kube-apiserver, which then responds with 500.
func (e *expressions) mutation(index int, m *registrationv1.Mutation) patch.Patcher {
	options := e.options
	options.HasPatchTypes = true
	compile := func(field string, a cel.ExpressionAccessor) cel.MutatingEvaluator {
		return cel.NewMutatingEvaluator(e.named(fmt.Sprintf("mutations[%d].%s.expression", index, field)).
			CompileCELExpression(a, options, environment.StoredExpressions))
	}
	switch {
	case m.PatchType == registrationv1.PatchTypeJSONPatch && m.JSONPatch != nil:
		return patch.NewJSONPatcher(compile("jsonPatch",
			&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}))
	case m.PatchType == registrationv1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
		return patch.NewApplyConfigurationPatcher(compile("applyConfiguration",
			&patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}))
	}
	return nil
}
