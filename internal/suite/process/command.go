package process

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"example.com/gatehouse/internal/suite/suitefile"
)

// newCommand returns the command with its environment: gatehouse's own, the
// variables, and those of the suite.
func newCommand(c Config, variables []suitefile.EnvVar) (*exec.Cmd, error) {
	folder := c.Exec.WorkingDir
	// Starting a command in a missing folder would blame the program.
	if _, err := os.Stat(cmp.Or(folder, ".")); err != nil {
		return nil, fmt.Errorf("workingDir: %w", err)
	}
	// exec.Cmd would set PWD only for an empty environment.
	e := newEnvironment((&exec.Cmd{Dir: folder}).Environ())
	for _, v := range variables {
		e.set(v.Name, v.Value)
	}
	for _, v := range c.Exec.Env {
		e.set(v.Name, e.expand(v.Value))
	}
	words := make([]string, len(c.Exec.Command))
	for i, word := range c.Exec.Command {
		words[i] = e.expand(word)
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("there is no command")
	}
	command := exec.Command(words[0], words[1:]...)
	command.Dir, command.Env = folder, e.list
	command.SysProcAttr = attributes()
	return command, nil
}

// environment is a list of variables. The last one of a name counts, for
// references as for the command.
type environment struct {
	list   []string
	values map[string]string
}

// newEnvironment returns the environment of a list of NAME=VALUE.
func newEnvironment(list []string) *environment {
	e := &environment{list: slices.Clip(list), values: map[string]string{}}
	for _, entry := range list {
		name, value, _ := strings.Cut(entry, "=")
		e.values[name] = value
	}
	return e
}

// set adds a variable.
func (e *environment) set(name, value string) {
	e.list = append(e.list, name+"="+value)
	e.values[name] = value
}

// reference matches what Kubernetes replaces in commands and variables:
// $(NAME), and $$, an escaped $.
var reference = regexp.MustCompile(`\$\$|\$\([^)]*\)`)

// expand replaces references. A reference to an unset variable stays, as it may
// be meant for a shell. Replacements are not expanded again.
func (e *environment) expand(text string) string {
	return reference.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$$" {
			return "$"
		}
		value, ok := e.values[found[len("$("):len(found)-len(")")]]
		if !ok {
			return found
		}
		return value
	})
}
