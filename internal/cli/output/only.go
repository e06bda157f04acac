package output

import (
	"fmt"
	"maps"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/session"
)

// Selections are the values of --only.
var Selections = slices.Sorted(maps.Keys(selections))

var selections = map[string]func(*session.Result) bool{
	"changed": isChanged,
	"denied":  isDenied,
	"unknown": (*session.Result).Undecided,
	"warned":  func(v *session.Result) bool { return len(v.Response.Warnings) > 0 },
}

// Only returns a printer that prints the results that one of the Selections in
// which selects, and all results if which is empty. It is an error if which has
// another value.
func Only(next Printer, which []string) (Printer, error) {
	if len(which) == 0 {
		return next, nil
	}
	f := &filter{Printer: next}
	for _, name := range which {
		selects := selections[name]
		if selects == nil {
			return nil, fmt.Errorf("--only %q: want changed, denied, unknown or warned", name)
		}
		f.selections = append(f.selections, selects)
	}
	return f, nil
}

// isDenied is for a verdict that is known.
func isDenied(v *session.Result) bool { return !v.Response.Allowed && !v.Undecided() }

func isChanged(v *session.Result) bool {
	return slices.ContainsFunc(v.Response.Calls, func(c admission.Call) bool { return c.Changed })
}

// filter prints what one of its selections selects.
type filter struct {
	Printer
	selections []func(*session.Result) bool
}

func (f *filter) Print(v *session.Result) error {
	for _, selects := range f.selections {
		if selects(v) {
			return f.Printer.Print(v)
		}
	}
	return nil
}
