package cel

import (
	"slices"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// comparison is a field that is, or is not, a constant.
type comparison struct {
	path     *path
	constant ref.Val
	size     uint64
	negated  bool
}

func (c comparison) eval(f *Fields) (value bool, cost uint64, known bool) {
	v := scalar(f.at(c.path))
	if v == nil {
		return false, 0, false
	}
	equal := celtypes.Equal(v, c.constant) == celtypes.True
	// A tenth of the shorter one, rounded up.
	return equal != c.negated, c.path.cost() + (min(sizeOf(v), c.size)+9)/10, true
}

// membership is a field that is one of several constants.
type membership struct {
	path      *path
	constants []ref.Val
}

func (m membership) eval(f *Fields) (value bool, cost uint64, known bool) {
	v := scalar(f.at(m.path))
	if v == nil {
		return false, 0, false
	}
	same := func(constant ref.Val) bool { return celtypes.Equal(v, constant) == celtypes.True }
	return slices.ContainsFunc(m.constants, same), m.path.cost(), true
}

// presence is has(): whether what a path leads to has a field.
type presence struct {
	of   *path
	name ref.Val
}

func (p presence) eval(f *Fields) (value bool, cost uint64, known bool) {
	object, ok := f.at(p.of).(traits.Mapper)
	if !ok {
		return false, 0, false
	}
	_, value = object.Find(p.name)
	return value, p.of.cost(), true
}

// not is a term negated.
type not struct{ of term }

func (n not) eval(f *Fields) (value bool, cost uint64, known bool) {
	value, cost, known = n.of.eval(f)
	return !value, cost + 1, known
}

// logic is several terms joined by && or ||. It stops at the first that decides.
type logic struct {
	terms  []term
	stopAt bool
}

func (l logic) eval(f *Fields) (value bool, cost uint64, known bool) {
	for _, t := range l.terms {
		v, c, known := t.eval(f)
		if !known {
			return false, 0, false
		}
		cost += c
		if v == l.stopAt {
			return v, cost, true
		}
	}
	return !l.stopAt, cost, true
}

// sizeOf returns the size of a value as cel-go counts it.
func sizeOf(v ref.Val) uint64 {
	if sized, ok := v.(traits.Sizer); ok {
		return uint64(sized.Size().(celtypes.Int))
	}
	return 1
}
