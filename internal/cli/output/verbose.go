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

// Verbose returns a printer for a format that explains each visit in short after next,
// which is the one that New returns for it, has printed it: below the rows of a table,
// and on stderr where programs read the output.
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

func (p *verbose) Print(v *session.Visit) error {
	if err := p.Printer.Print(v); err != nil {
		return err
	}
	var tree bytes.Buffer
	if err := v.Explain().Tree(&tree, explain.TreeOptions{Short: true}); err != nil {
		return fmt.Errorf("explaining %s: %w", v.Reference(), err)
	}
	text := p.indent + strings.ReplaceAll(strings.TrimSuffix(tree.String(), "\n"), "\n", "\n"+p.indent) + "\n"
	return command.Write(p.out, []byte(text))
}
