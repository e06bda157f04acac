package harness

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Difference is a field in which a side is not what it should be.
type Difference struct {
	// Step is the number of the step, from 0.
	Step int
	// Side is the side that differs. If it is Upstream, the scenario's
	// expectation is wrong about upstream.
	Side Side
	// Field is the path of the field in an Observation, or "want." and the name
	// of an expectation.
	Field string
	// Upstream and Gatehouse are what the two sides have there; for an
	// expectation, what is expected and what is.
	Upstream, Gatehouse string
}

// String is the difference for readers.
func (d Difference) String() string {
	first, second := "upstream: ", "gatehouse:"
	if strings.HasPrefix(d.Field, "want.") {
		first, second = "want:", "got: "
	}
	text := fmt.Sprintf("step %d: %s: %s\n  %s %s\n  %s %s", d.Step, d.Side, d.Field, first,
		brief(d.Upstream), second, brief(d.Gatehouse))
	if len(d.Upstream) > 200 && len(d.Gatehouse) > 200 {
		text += "\n  " + strings.ReplaceAll(cmp.Diff(d.Upstream, d.Gatehouse), "\n", "\n  ")
	}
	return text
}

// brief cuts the middle out of what is as large as objects may be.
func brief(text string) string {
	const most = 4000
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s…(%d bytes)…%s", text[:most/2], len(text)-most, text[len(text)-most/2:])
}

// Compare returns the fields in which two observations differ, as many as there
// are. Lists of different lengths are one difference, and so are maps.
func Compare(want, got Observation) []Difference {
	var found []Difference
	compare(&found, "", reflect.ValueOf(want), reflect.ValueOf(got))
	return found
}

func compare(found *[]Difference, path string, want, got reflect.Value) {
	switch want.Kind() {
	case reflect.Struct:
		for i := range want.NumField() {
			if field := want.Type().Field(i); field.IsExported() {
				compare(found, strings.TrimPrefix(path+"."+field.Name, "."), want.Field(i), got.Field(i))
			}
		}
		return
	case reflect.Slice:
		if want.Len() == got.Len() {
			for i := range want.Len() {
				compare(found, fmt.Sprintf("%s[%d]", path, i), want.Index(i), got.Index(i))
			}
			return
		}
	case reflect.Map:
		if want.Len() == 0 && got.Len() == 0 {
			return
		}
	}
	if reflect.DeepEqual(want.Interface(), got.Interface()) {
		return
	}
	*found = append(
		*found,
		Difference{Field: path, Upstream: show(want.Interface()), Gatehouse: show(got.Interface())},
	)
}

// show writes a value on one line, or a list on many.
func show(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if list, ok := v.([]string); ok {
		if len(list) == 0 {
			return "none"
		}
		return "\n    " + strings.Join(list, "\n    ")
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return string(text)
}

// sortByText sorts values that have no natural order.
func sortByText[T any](values []T) {
	slices.SortStableFunc(values, func(a, b T) int { return strings.Compare(show(a), show(b)) })
}
