package explain

import (
	"io"
	"os"

	"example.com/gatehouse/internal/cli/command"
)

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// colored reports whether the tree has colours. It respects NO_COLOR
// (no-color.org) and terminals without capabilities.
func colored(choice string, out io.Writer) bool {
	switch choice {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return os.Getenv("NO_COLOR") == "" && command.IsTerminal(out)
}
