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

// colored reports whether a tree is written with colours. NO_COLOR is what programs
// agree on (no-color.org), and so are terminals that can do nothing.
func colored(choice string, out io.Writer) bool {
	switch choice {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return os.Getenv("NO_COLOR") == "" && command.IsTerminal(out)
}
