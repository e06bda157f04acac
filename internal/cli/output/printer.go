package output

import (
	"io"

	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// Printer shows the objects of a simulation.
type Printer interface {
	// Print shows one object, or keeps it for later.
	Print(*session.Visit) error
	// End shows the rest. It is not to be called after an interruption, so that what
	// has been written is whole.
	End() error
}

// New returns the printer for a format, which is flags.Table, flags.YAML or flags.JSON.
// False means that it is something else. stderr receives notices about what YAML has no
// place for.
func New(format string, stdout, stderr io.Writer) (Printer, bool) {
	switch format {
	case flags.Table:
		return &table{out: stdout}, true
	case flags.YAML:
		return &yamlPrinter{out: stdout, aside: stderr}, true
	case flags.JSON:
		return &jsonPrinter{out: stdout}, true
	}
	return nil, false
}
