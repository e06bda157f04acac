package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/message"
)

// NoCommand is the check of a root command's arguments: there are none, because
// one that names a command would not arrive here.
func NoCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q for %q", args[0], root.CommandPath())
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return suggesting(err, args[0], names)
}

// NoArguments is the check of a command without arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q: %s takes no arguments", args[0], cmd.CommandPath())
}

// UnknownFlag adds to pflag's error about an unknown flag the commands that have
// it, or else the flags of the command that may be meant.
func UnknownFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	name := unknown.GetSpecifiedName()
	if others := commandsWith(cmd.Root(), name); len(others) > 0 {
		return fmt.Errorf("%w: it is a flag of %s", err, strings.Join(others, ", "))
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return suggesting(err, "--"+name, names)
}

// commandsWith returns the names of the commands of a root that have a flag.
func commandsWith(root *cobra.Command, flag string) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Flags().Lookup(flag) != nil {
			names = append(names, c.Name())
		}
	}
	return names
}

func suggesting(err error, word string, known []string) error {
	if hint := message.DidYouMean(word, known); hint != "" {
		return fmt.Errorf("%w: %s", err, hint)
	}
	return err
}

// Inputs returns a check that a command has at least one argument. The verb
// says what the command does to its inputs.
func Inputs(verb string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error { return requireInputs(verb, args) }
}

// Objects is Inputs, but takes a file of -f for arguments.
func Objects(verb string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("filename") {
			return nil
		}
		return requireInputs(verb, args)
	}
}

func requireInputs(verb string, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("nothing to %s: give files, folders or - as arguments", verb)
	}
	return nil
}
