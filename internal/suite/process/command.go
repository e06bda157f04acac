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

// newCommand returns the command in its environment: gatehouse's own, the variables, and
// what the suite's author has added.
func newCommand(c Config, variables []suitefile.EnvVar) (*exec.Cmd, error) {
	folder := c.Exec.WorkingDir
	// To start a command in a folder that is not there fails with the program's name.
	if _, err := os.Stat(cmp.Or(folder, ".")); err != nil {
		return nil, fmt.Errorf("workingDir: %w", err)
	}
	// A command without an environment would get this one, with the PWD of its folder.
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

// environment is what variables there are. Of several that have one name the last counts,
// for references as for the command.
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

// reference is what Kubernetes replaces in commands and variables: $(NAME), and $$, which
// stands for a $ that begins no reference.
var reference = regexp.MustCompile(`\$\$|\$\([^)]*\)`)

// expand replaces the references in a text. One to a variable that there is not (yet) stays
// as it is: it may be the shell's. What they are replaced by is not looked at again.
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
