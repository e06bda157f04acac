package suitefile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/gatehouse/internal/manifest"
)

// mistakes collects the mistakes in a suite.
type mistakes struct {
	document *manifest.Document
	found    []mistake
}

// mistake is an error with its position, and its line in the suite's file.
type mistake struct {
	line int
	err  error
}

// note records an error that includes its position.
func (m *mistakes) note(field string, err error) {
	m.found = append(m.found, mistake{m.document.At(field).Line, err})
}

// join returns all mistakes in the order of the file, or nil.
func (m *mistakes) join() error {
	slices.SortStableFunc(m.found, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	problems := make([]error, 0, len(m.found))
	for _, found := range m.found {
		problems = append(problems, found.err)
	}
	return errors.Join(problems...)
}

// at returns the path of a field of the suite.
func (m *mistakes) at(field string) fieldPath { return fieldPath{all: m, path: field} }

// fieldPath is the path of a field to validate.
type fieldPath struct {
	all  *mistakes
	path string
}

// at returns the path of a nested field.
func (p fieldPath) at(field string) fieldPath { return fieldPath{p.all, p.path + "." + field} }

// item returns the path of a list item.
func (p fieldPath) item(i int) fieldPath { return fieldPath{p.all, fmt.Sprintf("%s[%d]", p.path, i)} }

// unique records that the name of the item is that of an earlier one, and
// reports whether it is not.
func (p fieldPath) unique(name string, items map[string]fieldPath) bool {
	if first, taken := items[name]; taken {
		p.at("name").wrong("%q: is already the name of %s", name, first.path)
		return false
	}
	items[name] = p
	return true
}

// check records a non-nil error about the field.
func (p fieldPath) check(err error) {
	if err != nil {
		err = fmt.Errorf("%s: %w", p.path, err)
		p.all.note(p.path, p.all.document.Wrap(p.path, err))
	}
}

// wrong records an error about the field.
func (p fieldPath) wrong(format string, args ...any) { p.check(fmt.Errorf(format, args...)) }
