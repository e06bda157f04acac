package cel

import (
	"runtime"
	"sync"
	"weak"

	"github.com/google/cel-go/cel"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Program is a compiled expression. Equal expressions share a Program as long
// as one of them is in use, so that its address identifies the expression.
type Program struct {
	// Expression is the source text.
	Expression string
	// Program evaluates it; nil if Err is set.
	Program cel.Program
	// Bounded evaluates the expression faster if its cost has a bound; nil if the
	// expression calls the authorizer.
	Bounded *Bounded
	// Err is the error of compiling the expression.
	Err error
}

// Compiler compiles expressions, and shares the programs of equal ones for as
// long as they are in use. Use NewCompiler to create one.
type Compiler struct {
	// programs does not keep programs alive: they end with the configurations
	// that use them.
	mu       sync.Mutex
	programs map[string]weak.Pointer[Program]
}

// NewCompiler returns a compiler.
func NewCompiler() *Compiler {
	return &Compiler{programs: map[string]weak.Pointer[Program]{}}
}

// Compile returns the program of an expression. It compiles the expression if
// no equal one is in use. It never fails; see Program.Err.
func (c *Compiler) Compile(expression string) *Program {
	if p := c.lookup(expression); p != nil {
		return p
	}
	// Compile without the lock: two callers may compile the same expression,
	// but no caller waits while another expression is compiled.
	return c.intern(compile(expression))
}

func (c *Compiler) lookup(expression string) *Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.programs[expression].Value()
}

func (c *Compiler) intern(p *Program) *Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	if first := c.programs[p.Expression].Value(); first != nil {
		return first
	}
	c.programs[p.Expression] = weak.Make(p)
	runtime.AddCleanup(p, c.forget, p.Expression)
	return p
}

// forget deletes the entry of a collected program, unless the expression has
// been compiled again.
func (c *Compiler) forget(expression string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.programs[expression].Value() == nil {
		delete(c.programs, expression)
	}
}

// sharedCompiler returns the compiler of the process: building the environment
// takes tens of milliseconds, and it never changes.
var sharedCompiler = sync.OnceValue(func() celplugin.Compiler {
	return celplugin.NewCompiler(baseEnvironment())
})

func compile(expression string) *Program {
	p := &Program{Expression: expression}
	env := conditionEnvs().counting
	checked, issues := env.Compile(expression)
	if issues.Err() == nil && checked.OutputType().IsExactType(cel.BoolType) {
		var err error
		p.Program, err = env.Program(checked, cel.InterruptCheckFrequency(celconfig.CheckFrequency))
		if err == nil {
			p.Bounded = newBounded(checked)
			return p
		}
	}
	// The error is that of kube-apiserver's compiler.
	result := compileAs(expression, environment.StoredExpressions)
	if p.Program = result.Program; result.Error != nil {
		p.Err = result.Error
	}
	return p
}

func baseEnvironment() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
}

// compileAs compiles a condition of a webhook with the features that mode
// allows. Its result has to be a bool (S-146).
func compileAs(expression string, mode environment.Type) celplugin.CompilationResult {
	declared := celplugin.OptionalVariableDeclarations{HasAuthorizer: true}
	return sharedCompiler().CompileCELExpression(accessor{expression, MatchCondition.types()},
		declared, mode)
}
