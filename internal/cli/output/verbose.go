package output

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// Verbose returns a printer that prints a short explanation of each visit after
// next, the printer that New returns for the format: below the rows of a table,
// and otherwise on stderr, because programs read stdout.
func Verbose(next Printer, format string, stdout, stderr io.Writer) Printer {
	if format == flags.Table {
		return &verbose{Printer: next, out: stdout, indent: "  "}
	}
	return &verbose{Printer: next, out: stderr}
}

type verbose struct {
	Printer
	out    io.Writer
	indent string
}

func (p *verbose) Print(v *session.Result) error {
	if err := p.Printer.Print(v); err != nil {
		return err
	}
	var tree bytes.Buffer
	if err := v.Explain().Tree(&tree, explain.TreeOptions{Short: true}); err != nil {
		return fmt.Errorf("explaining %s: %w", v.Reference(), err)
	}
	text := p.indent + strings.ReplaceAll(strings.TrimSuffix(tree.String(), "\n"), "\n",
		"\n"+p.indent) + "\n"
	return command.Write(p.out, []byte(text))
}
