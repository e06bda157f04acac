package command

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// colorFlag is the name of the flag that AddColorFlag adds.
const colorFlag = "color"

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// colorChoice is the value of --color.
type colorChoice string

var _ pflag.Value = (*colorChoice)(nil)

// Set checks the value.
func (c *colorChoice) Set(value string) error {
	switch value {
	case colorAuto, colorAlways, colorNever:
		*c = colorChoice(value)
		return nil
	}
	return fmt.Errorf("want %s, %s or %s", colorAuto, colorAlways, colorNever)
}

// String returns the value.
func (c *colorChoice) String() string { return string(*c) }

// Type returns "" because the usage names the values.
func (c *colorChoice) Type() string { return "" }

// AddColorFlag adds --color to a root command and all commands below it.
func AddColorFlag(root *cobra.Command) {
	choice := colorChoice(colorAuto)
	root.PersistentFlags().Var(&choice, colorFlag,
		"`when` to use colours: auto, always or never")
}

// Palette colours the words of a command's output. The zero value leaves them
// as they are.
type Palette struct{ on bool }

// Colors returns the palette for the output of a command: --color decides, and
// without it whether out is a terminal and NO_COLOR (no-color.org) is not set.
func Colors(cmd *cobra.Command, out io.Writer) Palette {
	choice := colorAuto
	if f := cmd.Flag(colorFlag); f != nil {
		choice = f.Value.String()
	}
	switch choice {
	case colorAlways:
		return Palette{on: true}
	case colorNever:
		return Palette{}
	}
	return Palette{on: os.Getenv("NO_COLOR") == "" && IsTerminal(out)}
}

// On reports whether the palette has colours.
func (p Palette) On() bool { return p.on }

// Good colours what is as it should be.
func (p Palette) Good(text string) string { return p.wrap("\x1b[32m", text) }

// Bad colours what went wrong.
func (p Palette) Bad(text string) string { return p.wrap("\x1b[31m", text) }

// Notable colours what needs attention.
func (p Palette) Notable(text string) string { return p.wrap("\x1b[33m", text) }

func (p Palette) wrap(escape, text string) string {
	if !p.on {
		return text
	}
	return escape + text + "\x1b[0m"
}
