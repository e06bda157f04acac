package schemas

import (
	"regexp"
	"slices"
	"strings"
)

// problem is something that is wrong with an object.
type problem struct {
	// where is the path of the field, without positions in lists, which may be others in
	// another state of the object.
	where string
	text  string
}

// positions finds those in lists.
var positions = regexp.MustCompile(`\[\d+\]`)

func found(path, text string) problem {
	return problem{positions.ReplaceAllString(path, "[]"), text}
}

// within reports whether a problem is that of a field, or of one in it.
func (p problem) within(where string) bool {
	rest, ok := strings.CutPrefix(p.where, where)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// among reports whether the place of a problem was that of one before. Of what is in a
// field that was missing or wrong, nothing was known before.
func (p problem) among(before []problem) bool {
	return slices.ContainsFunc(before, func(b problem) bool { return p.within(b.where) })
}
