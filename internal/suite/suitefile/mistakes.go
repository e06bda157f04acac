package suitefile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/gatehouse/internal/manifest"
)

// mistakes are those that were found in a suite.
type mistakes struct {
	document *manifest.Document
	found    []mistake
}

// mistake is an error that says where it is, and its line in the suite's own file.
type mistake struct {
	line int
	err  error
}

// note keeps an error about a field that says already where it is.
func (m *mistakes) note(field string, err error) {
	m.found = append(m.found, mistake{m.document.At(field).Line, err})
}

// join returns all mistakes in the order in which they stand in the file, nil if there are
// none.
func (m *mistakes) join() error {
	slices.SortStableFunc(m.found, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	problems := make([]error, 0, len(m.found))
	for _, found := range m.found {
		problems = append(problems, found.err)
	}
	return errors.Join(problems...)
}

// at returns the place of a field of the suite.
func (m *mistakes) at(field string) place { return place{all: m, path: field} }

// place is a field in which mistakes are looked for.
type place struct {
	all  *mistakes
	path string
}

// at returns the place of a field of the field.
func (p place) at(field string) place { return place{p.all, p.path + "." + field} }

// item returns the place of an item of the list that stands here.
func (p place) item(i int) place { return place{p.all, fmt.Sprintf("%s[%d]", p.path, i)} }

// check keeps an error about the field, if there is one.
func (p place) check(err error) {
	if err != nil {
		err = fmt.Errorf("%s: %w", p.path, err)
		p.all.note(p.path, p.all.document.Wrap(p.path, err))
	}
}

// wrong is check for what is known to be wrong.
func (p place) wrong(format string, args ...any) { p.check(fmt.Errorf(format, args...)) }
