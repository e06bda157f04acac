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

var selections = map[string]func(*admission.Response) bool{
	"changed": isChanged,
	"denied":  func(r *admission.Response) bool { return !r.Allowed },
	"warned":  func(r *admission.Response) bool { return len(r.Warnings) > 0 },
}

// Only returns a printer that prints the results that at least one of the
// Selections selects. All of them if there are none. The error is for another
// value.
func Only(next Printer, which []string) (Printer, error) {
	if len(which) == 0 {
		return next, nil
	}
	f := &filter{Printer: next}
	for _, name := range which {
		selects := selections[name]
		if selects == nil {
			return nil, fmt.Errorf("--only %q: want changed, denied or warned", name)
		}
		f.selections = append(f.selections, selects)
	}
	return f, nil
}

func isChanged(r *admission.Response) bool {
	return slices.ContainsFunc(r.Calls, func(c admission.Call) bool { return c.Changed })
}

// filter prints what one of its selections selects.
type filter struct {
	Printer
	selections []func(*admission.Response) bool
}

func (f *filter) Print(v *session.Result) error {
	for _, selects := range f.selections {
		if selects(v.Response) {
			return f.Printer.Print(v)
		}
	}
	return nil
}
