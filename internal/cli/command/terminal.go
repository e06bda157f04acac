package command

import (
	"io"
	"os"
)

// IsTerminal reports whether out is a terminal that can rewrite a line and show
// colours.
func IsTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
