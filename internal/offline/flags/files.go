package flags

import (
	"fmt"

	"github.com/spf13/pflag"
)

// Files are the inputs of a command that takes them by -f and as arguments.
type Files struct {
	Paths     []string
	Recursive bool
}

// Add adds -f, with the usage, and -R.
func (i *Files) Add(f *pflag.FlagSet, usage string) {
	f.StringArrayVarP(&i.Paths, "filename", "f", nil, usage)
	f.BoolVarP(&i.Recursive, "recursive", "R", false, Recursive)
}

// Take adds the arguments to the paths. The verb says what the command does to them, for
// the error if there are none. No file is opened.
func (i *Files) Take(args []string, verb string) error {
	i.Paths = append(i.Paths, args...)
	if len(i.Paths) == 0 {
		return fmt.Errorf("nothing to %s: give files, folders or -", verb)
	}
	return CheckStdin(i.Paths)
}
