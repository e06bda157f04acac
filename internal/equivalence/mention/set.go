package mention

import (
	"slices"
	"strings"
)

// Root is where a path begins.
type Root string

// The roots. Each is the name of a variable of expressions.
const (
	Object    Root = "object"
	OldObject Root = "oldObject"
	Request   Root = "request"
	Namespace Root = "namespaceObject"
	// params are no part of a request.
	params Root = "params"
)

// Any is the step of a path to any element of a list, or any entry of a map.
const Any = "*"

// Field is a field that a side reads.
type Field struct {
	Root Root
	// Path has the names of fields, keys of maps, and Any.
	Path []string
	// Values are the constants with which it is compared: strings, int64, float64
	// and bool. Patterns are the regular expressions that it has to match.
	Values   []any
	Patterns []string
	// Sizes are the constants with which its size is compared.
	Sizes []int64
}

// Set is what is mentioned. The zero Set is empty.
type Set struct {
	// Fields are in the order in which they are first mentioned.
	Fields []*Field
	// Words are all constants that are strings, each once, and Numbers those that
	// are numbers.
	Words   []string
	Numbers []int64

	byPath map[string]*Field
}

// field returns a field, which it adds if it is new.
func (s *Set) field(root Root, path []string) *Field {
	key := string(root) + "\x00" + strings.Join(path, "\x00")
	if f := s.byPath[key]; f != nil {
		return f
	}
	if s.byPath == nil {
		s.byPath = map[string]*Field{}
	}
	f := &Field{Root: root, Path: slices.Clone(path)}
	s.byPath[key] = f
	s.Fields = append(s.Fields, f)
	return f
}

// Field adds a field with values with which it is compared.
func (s *Set) Field(root Root, path []string, values ...any) {
	f := s.field(root, path)
	for _, v := range values {
		f.Values = addTo(f.Values, v)
		s.constant(v)
	}
}

// Word adds a word that some field may be compared with.
func (s *Set) Word(word string) { s.Words = addTo(s.Words, word) }

// Number adds a number that some field may be compared with.
func (s *Set) Number(n int64) { s.Numbers = addTo(s.Numbers, n) }

// constant keeps a constant. One that is a JSON pointer mentions a field.
func (s *Set) constant(v any) {
	switch v := v.(type) {
	case string:
		s.Word(v)
		if steps, ok := strings.CutPrefix(v, "/"); ok && !strings.ContainsAny(v, " \n") {
			s.field(Object, pointerSteps(steps))
		}
	case int64:
		s.Number(v)
	}
}

// pointerSteps returns the steps of a JSON pointer without its first slash.
func pointerSteps(pointer string) []string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		if steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step); step == "-" {
			steps[i] = Any
		}
	}
	return steps
}

func addTo[T comparable](all []T, one T) []T {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
