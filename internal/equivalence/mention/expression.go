package mention

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"example.com/gatehouse/internal/cel"
)

// value is what a part of an expression may be.
type value struct {
	// reads are the fields that it may come from, and constants the constants.
	reads     []read
	constants []any
}

// read is a field, or its size.
type read struct {
	root Root
	path []string
	size bool
}

// maxReads is how many fields a value has at most: their number can double with each
// variable of a policy.
const maxReads = 1000

// join returns what either of two values may be, without duplicates.
func (v value) join(w value) value {
	all := value{slices.Clone(v.reads), slices.Clone(v.constants)}
	for _, r := range w.reads {
		if len(all.reads) < maxReads && !slices.ContainsFunc(all.reads, r.same) {
			all.reads = append(all.reads, r)
		}
	}
	for _, c := range w.constants {
		all.constants = addTo(all.constants, c)
	}
	return all
}

// same reports whether two reads are the same field, and both it or both its size.
func (r read) same(s read) bool {
	return r.root == s.root && r.size == s.size && slices.Equal(r.path, s.path)
}

// to returns the field, or the entries, of what a value is.
func (v value) to(step string) value {
	next := value{constants: v.constants}
	for _, r := range v.reads {
		next.reads = append(next.reads, read{r.root, append(slices.Clip(r.path), step), false})
	}
	return next
}

// reader reads the expressions of one policy or webhook.
type reader struct {
	set *Set
	// variables are those of the policy, and bound those of loops.
	variables, bound map[string]value
	// params are the constants in the params.
	params []any
}

// expression adds what an expression mentions, and returns what it may be. An
// expression that does not parse mentions nothing.
func (r *reader) expression(text string) value {
	e, err := cel.Parse(text)
	if err != nil {
		return value{}
	}
	return r.of(e)
}

// of returns what an expression may be, and adds what it mentions.
func (r *reader) of(e ast.Expr) value {
	switch e.Kind() {
	case ast.LiteralKind:
		return r.literal(e)
	case ast.IdentKind:
		return r.ident(e.AsIdent())
	case ast.SelectKind:
		return r.selected(e.AsSelect())
	case ast.CallKind:
		return r.call(e.AsCall())
	case ast.ListKind:
		return r.list(e.AsList())
	case ast.MapKind:
		var all value
		for _, entry := range e.AsMap().Entries() {
			all = all.join(r.of(entry.AsMapEntry().Key())).join(r.of(entry.AsMapEntry().Value()))
		}
		return all
	case ast.StructKind:
		r.writtenValue(e, nil)
	case ast.ComprehensionKind:
		return r.loop(e.AsComprehension())
	}
	return value{}
}

func (r *reader) literal(e ast.Expr) value {
	var v any
	switch of := e.AsLiteral().(type) {
	case types.String:
		v = string(of)
	case types.Int:
		v = int64(of)
	case types.Double:
		v = float64(of)
	case types.Bool:
		v = bool(of)
	default:
		return value{}
	}
	r.set.constant(v)
	return value{constants: []any{v}}
}

func (r *reader) ident(name string) value {
	if v, ok := r.bound[name]; ok {
		return v
	}
	switch root := Root(name); root {
	case Object, OldObject, Request, Namespace:
		return value{reads: []read{{root: root}}}
	case params:
		return value{constants: r.params}
	}
	return value{}
}

func (r *reader) selected(s ast.SelectExpr) value {
	of := s.Operand()
	if of.Kind() == ast.IdentKind && of.AsIdent() == "variables" {
		return r.variables[s.FieldName()]
	}
	v := r.of(of).to(s.FieldName())
	r.mention(v)
	if s.IsTestOnly() {
		return value{}
	}
	return v
}

// mention adds the fields of a value.
func (r *reader) mention(v value) {
	for _, read := range v.reads {
		r.set.field(read.root, read.path)
	}
}

// call returns what the result of a call may be. The arguments of a function are
// compared with each other, as in quantity(a).isGreaterThan(quantity("1")).
func (r *reader) call(c ast.CallExpr) value {
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	values := make([]value, len(args))
	for i, arg := range args {
		values[i] = r.of(arg)
	}
	switch c.FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot,
		operators.NotStrictlyFalse:
		return value{}
	case operators.Conditional:
		return values[1].join(values[2])
	case operators.Index, operators.OptIndex, operators.OptSelect:
		return r.entry(values)
	}
	var all value
	for _, v := range values {
		all = all.join(v)
	}
	r.compare(c.FunctionName(), all)
	return r.result(c.FunctionName(), all)
}

// entry returns what the entry of a map, a list or an object may be.
func (r *reader) entry(values []value) value {
	of, key := values[0], values[1]
	var all value
	for _, k := range key.constants {
		if name, ok := k.(string); ok {
			all = all.join(of.to(name))
		}
	}
	if len(all.reads) == 0 {
		all = of.to(Any)
	}
	r.mention(all)
	return all
}

// compare adds the constants of a call to its fields.
func (r *reader) compare(function string, all value) {
	for _, read := range all.reads {
		f := r.set.field(read.root, read.path)
		for _, c := range all.constants {
			text, isText := c.(string)
			number, isNumber := c.(int64)
			switch {
			case read.size && isNumber:
				f.Sizes = addTo(f.Sizes, number)
			case read.size:
			case isText && (function == "matches" || function == "find" || function == "findAll"):
				f.Patterns = addTo(f.Patterns, text)
			default:
				f.Values = addTo(f.Values, c)
			}
		}
	}
}

// result returns what a call may be: nothing if it is a bool.
func (r *reader) result(function string, all value) value {
	switch function {
	case operators.Equals, operators.NotEquals, operators.In, operators.Less, operators.Greater,
		operators.LessEquals, operators.GreaterEquals, "startsWith", "endsWith", "contains", "matches":
		return value{}
	case "size":
		for i := range all.reads {
			all.reads[i].size = true
		}
		return all
	}
	return all
}

// list returns what a list may be. A list of elements of a list stands for it: it is
// how loops build their results.
func (r *reader) list(l ast.ListExpr) value {
	var all value
	for _, e := range l.Elements() {
		v := r.of(e)
		element := value{constants: v.constants}
		for _, read := range v.reads {
			if n := len(read.path); n > 0 && read.path[n-1] == Any {
				read.path = read.path[:n-1]
			}
			element.reads = append(element.reads, read)
		}
		all = all.join(element)
	}
	return all
}

// loop returns what the result of a macro may be: all, exists, filter, map and so on.
// A variable that is bound without a loop is its accumulator.
func (r *reader) loop(c ast.ComprehensionExpr) value {
	outer := r.bound
	defer func() { r.bound = outer }()
	over, initial := r.of(c.IterRange()), r.of(c.AccuInit())
	r.bound = map[string]value{}
	for name, v := range outer {
		r.bound[name] = v
	}
	r.bound[c.AccuVar()] = initial
	r.bound[c.IterVar()] = over.to(Any)
	if c.HasIterVar2() {
		r.bound[c.IterVar2()] = over.to(Any)
	}
	r.of(c.LoopCondition())
	step := r.of(c.LoopStep())
	r.bound[c.AccuVar()] = initial.join(step)
	return r.of(c.Result())
}

// written mentions the fields that a mutation writes: those of an Object.
func (r *reader) written(e ast.Expr, path []string) {
	for _, entry := range e.AsStruct().Fields() {
		f := entry.AsStructField()
		at := append(slices.Clip(path), f.Name())
		r.writtenValue(f.Value(), at)
	}
}

func (r *reader) writtenValue(e ast.Expr, at []string) {
	switch e.Kind() {
	case ast.StructKind:
		if e.AsStruct().TypeName() == "JSONPatch" {
			for _, entry := range e.AsStruct().Fields() {
				r.of(entry.AsStructField().Value())
			}
			return
		}
		r.written(e, at)
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			r.writtenValue(element, append(slices.Clip(at), Any))
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			for _, key := range r.of(entry.AsMapEntry().Key()).constants {
				if name, ok := key.(string); ok {
					r.writtenValue(entry.AsMapEntry().Value(), append(slices.Clip(at), name))
				}
			}
		}
	default:
		r.set.Field(Object, at, r.of(e).constants...)
	}
}
