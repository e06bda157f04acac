package cel

import (
	"runtime"
	"sync"
	"weak"

	"github.com/google/cel-go/cel"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Program is one compiled expression. Equal expressions that are in use at the
// same time share one Program, so its address identifies the expression.
type Program struct {
	// Expression is the text that was compiled.
	Expression string
	// Program evaluates it; nil if Err is set.
	Program cel.Program
	// Plain does the same faster where it can; nil for most kinds of expressions.
	Plain *Plain
	// Err says why the expression did not compile.
	Err error
}

// Compiler compiles expressions and shares the programs of equal ones for as
// long as somebody holds them. The zero value is not usable; see NewCompiler.
type Compiler struct {
	// programs holds no program alive: a configuration that is gone takes its
	// programs with it.
	mu       sync.Mutex
	programs map[string]weak.Pointer[Program]
}

// NewCompiler returns a compiler with nothing compiled.
func NewCompiler() *Compiler {
	return &Compiler{programs: map[string]weak.Pointer[Program]{}}
}

// Compile returns the program of an expression, compiling it if no equal one is
// in use. It never fails; see Program.Err.
func (c *Compiler) Compile(expression string) *Program {
	if p := c.lookup(expression); p != nil {
		return p
	}
	// Compiled outside of the lock: two callers may do the work twice, but
	// nobody waits for somebody else's expression.
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

// forget drops the entry of a collected program, unless the expression has been
// compiled again since.
func (c *Compiler) forget(expression string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.programs[expression].Value() == nil {
		delete(c.programs, expression)
	}
}

// compilerOf is shared by the whole process: building the environment takes
// tens of milliseconds and it never changes.
var compilerOf = sync.OnceValue(func() celplugin.Compiler {
	return celplugin.NewCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
})

func compile(expression string) *Program {
	// Conditions that are in force were accepted by some server, so every
	// feature ever introduced is known to them (S-144).
	result := compileAs(expression, environment.StoredExpressions)
	p := &Program{Expression: expression, Program: result.Program}
	if result.Error != nil {
		p.Err = result.Error
		return p
	}
	p.Plain = plain(parserOf(), expression)
	return p
}

// compileAs compiles a condition with the features that mode allows.
func compileAs(expression string, mode environment.Type) celplugin.CompilationResult {
	declared := celplugin.OptionalVariableDeclarations{HasAuthorizer: true}
	return compilerOf().CompileCELExpression(boolean(expression), declared, mode)
}

// boolean is an expression whose result has to be exactly a bool (S-146).
type boolean string

func (b boolean) GetExpression() string { return string(b) }

func (boolean) ReturnTypes() []*cel.Type { return []*cel.Type{cel.BoolType} }
