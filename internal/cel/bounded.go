package cel

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apimachinery/pkg/util/version"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apicel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// Bounded evaluates an expression without counting its cost, which takes
// several times as long as the evaluation itself: the conditions of public
// projects take twice as long if all are counted. It does so only if cel-go's
// estimate shows that the cost cannot exceed a limit, however the evaluation
// goes.
//
// The estimate depends on the size of the variables, and on how often loops
// run. Bounded therefore knows one for several sizes and numbers of iterations.
// It interrupts an evaluation whose loops run more often.
type Bounded struct {
	checked *cel.Ast
	program cel.Program
	// ranges are the IDs of the expressions that loops iterate over.
	ranges map[int64]bool
	// bySize has the costs if no variable is larger than sizeSteps[i]; nil until
	// they are needed.
	bySize [len(sizeSteps)]atomic.Pointer[costs]
}

// costs are the highest possible costs if the loops of an expression together
// run less than iterationSteps[i] times.
type costs [len(iterationSteps)]uint64

// sizeSteps are sizes of variables in bytes. The last stands for any size.
var sizeSteps = [...]uint64{
	1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, math.MaxUint32,
}

// iterationSteps are numbers of iterations. Programs without loops use the
// first only.
var iterationSteps = [...]uint64{16, 128, 1024}

// maxCost is the cost at which kube-apiserver stops an evaluation (S-149).
const maxCost = celconfig.PerCallLimit

// Variables are the variables of an evaluation.
type Variables interface {
	interpreter.Activation
	// Size returns a number that no length of a string, list or map in the
	// variables exceeds. It returns false if there is none.
	Size() (uint64, bool)
}

// Eval evaluates the expression. It returns the value and a cost that is at
// least the actual cost and at most limit. It returns false if the cost may
// exceed the limit, or if the evaluation fails: the caller then runs the
// Program, from which all errors come.
func (b *Bounded) Eval(
	ctx context.Context, vars Variables, limit uint64,
) (value bool, cost uint64, ok bool) {
	loops := len(b.ranges) > 0
	step, cost, ok := b.admit(vars, limit)
	if !ok {
		return false, 0, false
	}
	frame, err := interpreter.NewExecutionFrame(vars)
	if err != nil {
		return false, 0, false
	}
	defer frame.Close()
	if loops {
		// The context has ended, so that the first check interrupts the loop.
		_ = frame.SetContext(ended{ctx}, uint(iterationSteps[step]-1))
	}
	result, _, err := b.program.Eval(frame)
	if loops && frame.CheckInterrupt() {
		return false, 0, false // the value of an expression may hide this error
	}
	boolean, isBool := result.(celtypes.Bool)
	return bool(boolean), cost, err == nil && isBool
}

// ended is a context that has ended.
type ended struct{ context.Context }

func (ended) Done() <-chan struct{} { return closed }

func (ended) Err() error { return context.Canceled }

var closed = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// admit returns the highest step of iterations whose cost is within the limit,
// and the cost.
func (b *Bounded) admit(vars Variables, limit uint64) (step int, cost uint64, ok bool) {
	limit = min(limit, maxCost)
	const anySize = len(sizeSteps) - 1
	costs := b.costsFor(anySize)
	if costs[0] > limit {
		size, known := vars.Size()
		if !known {
			return 0, 0, false
		}
		i := 0
		for i < anySize && size > sizeSteps[i] {
			i++
		}
		costs = b.costsFor(i)
	}
	if costs[0] > limit {
		return 0, 0, false
	}
	for step+1 < len(costs) && len(b.ranges) > 0 && costs[step+1] <= limit {
		step++
	}
	return step, costs[step], true
}

// costsFor returns the costs for a step of sizeSteps. The first call for a step
// estimates them, which takes as long as some tens of evaluations.
func (b *Bounded) costsFor(step int) *costs {
	if known := b.bySize[step].Load(); known != nil {
		return known
	}
	var estimated costs
	for i, iterations := range iterationSteps {
		estimated[i] = math.MaxUint32
		if i == 0 || len(b.ranges) > 0 && estimated[i-1] <= maxCost {
			estimated[i] = highestCost(b.checked, &sizeEstimator{
				ranges: b.ranges, size: sizeSteps[step], iterations: iterations,
			})
		}
	}
	b.bySize[step].Store(&estimated)
	return &estimated
}

// newBounded returns nil for an expression that calls the authorizer: if its
// evaluation failed, the Program would call the authorizer again.
func newBounded(checked *cel.Ast) *Bounded {
	if callsAuthorizer(checked.NativeRep()) {
		return nil
	}
	ranges, unique := loopRanges(checked.NativeRep().Expr())
	if !unique {
		return nil
	}
	program, err := conditionEnvs().bounded.Program(checked, cel.EvalOptions(cel.OptOptimize),
		cel.InterruptCheckFrequency(1)) // Eval sets the frequency
	if err != nil {
		return nil
	}
	return &Bounded{checked: checked, program: program, ranges: ranges}
}

// highestCost returns cel-go's estimate, corrected, or math.MaxUint32 if there
// is none.
func highestCost(checked *cel.Ast, s *sizeEstimator) uint64 {
	cost, err := conditionEnvs().counting.EstimateCost(checked, s)
	if err != nil {
		return math.MaxUint32
	}
	selected := selections(checked.NativeRep().Expr(), float64(s.iterations))
	return uint64(min(float64(cost.Max)+selected, math.MaxUint32))
}

func callsAuthorizer(checked *ast.AST) bool {
	for _, reference := range checked.ReferenceMap() {
		switch reference.Name {
		case celplugin.AuthorizerVarName, celplugin.RequestResourceAuthorizerVarName:
			return true
		}
	}
	return false
}

// loopRanges returns the IDs of the expressions that loops iterate over. unique
// is false if one of them occurs elsewhere as well: the checker then mistakes
// one for the other.
func loopRanges(root ast.Expr) (ranges map[int64]bool, unique bool) {
	occurrences := map[int64]int{}
	ranges = map[int64]bool{}
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		occurrences[e.ID()]++
		if e.Kind() == ast.ComprehensionKind {
			ranges[e.AsComprehension().IterRange().ID()] = true
		}
	}))
	for id := range ranges {
		if occurrences[id] > 1 {
			return nil, false
		}
	}
	return ranges, true
}

// selections returns how many fields an evaluation can select if its loops run
// so many times each. Each costs 1, which cel-go's estimate leaves out if the
// type of the operand is dyn.
func selections(e ast.Expr, iterations float64) (n float64) {
	sum := func(parts ...ast.Expr) (n float64) {
		for _, part := range parts {
			n += selections(part, iterations)
		}
		return n
	}
	switch e.Kind() {
	case ast.SelectKind:
		return 1 + sum(e.AsSelect().Operand())
	case ast.CallKind:
		call := e.AsCall()
		if call.IsMemberFunction() {
			n = sum(call.Target())
		}
		return n + sum(call.Args()...)
	case ast.ListKind:
		return sum(e.AsList().Elements()...)
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			n += sum(entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return n
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			n += sum(field.AsStructField().Value())
		}
		return n
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		return sum(loop.IterRange(), loop.AccuInit(), loop.Result()) +
			iterations*sum(loop.LoopCondition(), loop.LoopStep())
	case ast.IdentKind, ast.LiteralKind, ast.UnspecifiedExprKind:
	}
	return 0
}

// sizeEstimator tells cel-go the size of values that the expression does not
// show. kube-apiserver's library estimates the costs of its functions.
type sizeEstimator struct {
	library.CostEstimator
	ranges           map[int64]bool
	size, iterations uint64
}

// EstimateSize implements checker.CostEstimator.
func (s *sizeEstimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if s.ranges[element.Expr().ID()] {
		return &checker.SizeEstimate{Max: s.iterations}
	}
	return &checker.SizeEstimate{Max: s.size}
}

// environments are kube-apiserver's environment for conditions, whose programs
// count their costs, and one with the same functions and types whose programs
// do not.
type environments struct{ counting, bounded *cel.Env }

// conditionEnvs returns the environments of the process. It panics if one
// cannot be built, which depends on constants only.
var conditionEnvs = sync.OnceValue(func() environments {
	request, namespace := celplugin.BuildRequestType(), celplugin.BuildNamespaceType()
	extended, err := baseEnvironment().Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable(celplugin.ObjectVarName, cel.DynType),
			cel.Variable(celplugin.OldObjectVarName, cel.DynType),
			cel.Variable(celplugin.NamespaceVarName, namespace.CelType()),
			cel.Variable(celplugin.RequestVarName, request.CelType()),
			cel.Variable(celplugin.AuthorizerVarName, library.AuthorizerType),
			cel.Variable(celplugin.RequestResourceAuthorizerVarName, library.ResourceCheckType),
		},
		DeclTypes: []*apicel.DeclType{namespace, request},
	}, environment.StrictCostOpt)
	if err != nil {
		panic(err)
	}
	// An API server of any version has accepted the condition, so that it may
	// use the features of all versions (S-144).
	counting := extended.StoredExpressionsEnv()
	functions := make([]*decls.FunctionDecl, 0, len(counting.Functions()))
	for _, f := range counting.Functions() {
		functions = append(functions, f)
	}
	bounded, err := cel.NewCustomEnv(
		cel.OptionalTypes(),
		cel.CustomTypeProvider(counting.CELTypeProvider()),
		cel.CustomTypeAdapter(counting.CELTypeAdapter()),
		cel.FunctionDecls(functions...),
	)
	if err != nil {
		panic(err)
	}
	return environments{counting, bounded}
})
