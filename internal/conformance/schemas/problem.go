package schemas

import (
	"regexp"
	"slices"
	"strings"
)

// problem is one problem of an object.
type problem struct {
	// where is the path of the field without list indices, which may differ
	// between two states of the object.
	where string
	text  string
}

// positions matches list indices.
var positions = regexp.MustCompile(`\[\d+\]`)

func newProblem(path, text string) problem {
	return problem{positions.ReplaceAllString(path, "[]"), text}
}

// within reports whether the problem is in a field.
func (p problem) within(where string) bool {
	rest, ok := strings.CutPrefix(p.where, where)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// coveredBy reports whether the field, or a parent of it, had a problem before.
// Nothing was known about the content of such a parent.
func (p problem) coveredBy(before []problem) bool {
	return slices.ContainsFunc(before, func(b problem) bool { return p.within(b.where) })
}
