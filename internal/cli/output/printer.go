package output

import (
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// Printer prints the visits of a session.
type Printer interface {
	// Print prints a visit, or stores it for End.
	Print(*session.Result) error
	// End prints what is stored. It must not be called after an interruption.
	End() error
}

// New returns the printer for a format: flags.Table, flags.YAML or flags.JSON.
// It returns false for any other. The colours are for a table. stderr receives the
// notices that YAML cannot contain.
func New(
	format string, colors command.Palette, stdout, stderr io.Writer,
) (Printer, bool) {
	switch format {
	case flags.Table:
		return &table{out: stdout, colors: colors}, true
	case flags.YAML:
		return &yamlPrinter{out: stdout, notices: stderr}, true
	case flags.JSON:
		return Collect(itemOf, func(items []RunItem) error {
			meta := metav1.TypeMeta{APIVersion: command.APIVersion, Kind: resultKind}
			return command.WriteJSON(stdout, &RunResult{TypeMeta: meta, Items: items})
		}), true
	}
	return nil, false
}

// Collect returns a printer that makes an item of each visit, and writes all of
// them at the end.
func Collect[T any](item func(*session.Result) T, write func([]T) error) Printer {
	return &collector[T]{item: item, write: write}
}

type collector[T any] struct {
	item  func(*session.Result) T
	write func([]T) error
	items []T
}

func (c *collector[T]) Print(v *session.Result) error {
	c.items = append(c.items, c.item(v))
	return nil
}

func (c *collector[T]) End() error { return c.write(c.items) }
