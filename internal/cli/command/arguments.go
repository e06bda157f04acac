package command

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Inputs returns a check that a command has at least one argument. The verb
// says what the command does to its inputs.
func Inputs(verb string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("nothing to %s: give files, folders or - as arguments", verb)
		}
		return nil
	}
}
