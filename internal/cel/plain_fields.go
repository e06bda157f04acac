package cel

import (
	"slices"
	"strings"
	"unique"

	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// path is how a field is reached: a variable and the names of fields, each in the
// one before.
type path struct {
	// text identifies the field, also between different expressions.
	text     unique.Handle[string]
	variable string
	fields   []ref.Val
}

// readPath returns nil for what is no path.
func readPath(e ast.Expr) *path {
	var names []string
	for e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() {
		names = append(names, e.AsSelect().FieldName())
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		return nil
	}
	switch e.AsIdent() {
	case celplugin.ObjectVarName, celplugin.OldObjectVarName, celplugin.RequestVarName:
	default:
		return nil
	}
	p := &path{variable: e.AsIdent()}
	for _, name := range slices.Backward(names) {
		p.fields = append(p.fields, celtypes.String(name))
	}
	names = append(names, p.variable)
	slices.Reverse(names)
	// Field names in backquotes may hold a dot, but nothing holds this.
	p.text = unique.Make(strings.Join(names, "\x00"))
	return p
}

// cost is what cel-go charges for following the path.
func (p *path) cost() uint64 { return uint64(1 + len(p.fields)) }

// readConstant returns nil for what is none.
func readConstant(e ast.Expr) ref.Val {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	return scalar(e.AsLiteral())
}

// scalar returns v if it is of a type whose comparison costs what is known here, or
// nil.
func scalar(v ref.Val) ref.Val {
	switch v.(type) {
	case celtypes.String, celtypes.Bool, celtypes.Int:
		return v
	default:
		return nil
	}
}

// Fields are the fields of one request's variables. They remember what has been
// looked at, so that it costs next to nothing when the next condition asks. They
// belong to one goroutine and must be thrown away when a variable changes.
type Fields struct {
	// Variables knows the values of the variables.
	Variables interpreter.Activation
	seen      []seenField
}

type seenField struct {
	path  unique.Handle[string]
	value ref.Val
}

// at returns the value at the end of a path; nil if there is none.
func (f *Fields) at(p *path) ref.Val {
	for i := range f.seen {
		if f.seen[i].path == p.text {
			return f.seen[i].value
		}
	}
	value := f.follow(p)
	f.seen = append(f.seen, seenField{p.text, value})
	return value
}

func (f *Fields) follow(p *path) ref.Val {
	variable, _ := f.Variables.ResolveName(p.variable)
	value, _ := variable.(ref.Val)
	for _, field := range p.fields {
		object, ok := value.(traits.Mapper)
		if !ok {
			return nil
		}
		if value, ok = object.Find(field); !ok {
			return nil
		}
	}
	return value
}
