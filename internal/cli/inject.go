package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/gatehouse/test/faultserver"
)

// injection is a value of --inject.
type injection struct {
	// value is what was written.
	value string
	// webhook is a webhook's name, or a hook as text.
	webhook string
	// file holds the script; empty if the fault has a name.
	file string
	// fault is what to inject. That of a file is named after it.
	fault faultserver.Fault
}

const injectForm = "want WEBHOOK=FAULT or WEBHOOK=@FILE"

// parseInjections reads the values of --inject, but no files.
func parseInjections(values []string) ([]injection, error) {
	var injections []injection
	for _, value := range values {
		i, err := parseInjection(value)
		if err != nil {
			return nil, fmt.Errorf("--inject %q: %w", value, err)
		}
		injections = append(injections, i)
	}
	return injections, nil
}

func parseInjection(value string) (injection, error) {
	webhook, fault, _ := strings.Cut(value, "=")
	if webhook == "" || fault == "" || fault == "@" {
		return injection{}, errors.New(injectForm)
	}
	i := injection{value: value, webhook: webhook}
	if file, ok := strings.CutPrefix(fault, "@"); ok {
		i.file, i.fault.Name = file, fault
		return i, nil
	}
	var err error
	i.fault, err = findFault(fault)
	return i, err
}

// scriptFiles returns the files of --inject, of those values that are in order.
func (o *options) scriptFiles() []string {
	var files []string
	for _, value := range o.inject {
		if i, err := parseInjection(value); err == nil && i.file != "" {
			files = append(files, i.file)
		}
	}
	return files
}

// readScripts completes the injections whose scripts are in files.
func readScripts(injections []injection, stdin io.Reader) error {
	var problems []error
	for n := range injections {
		i := &injections[n]
		if i.file == "" {
			continue
		}
		var err error
		i.fault.Script, err = readScript(i.file, stdin)
		for _, problem := range each(err) {
			problems = append(problems, fmt.Errorf("--inject: %s: %w", named(i.file), problem))
		}
	}
	return errors.Join(problems...)
}

// each returns the errors that err consists of, so that every line can name the
// file.
func each(err error) []error {
	var several interface{ Unwrap() []error }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &several):
		return several.Unwrap()
	}
	return []error{err}
}

func readScript(file string, stdin io.Reader) (faultserver.Script, error) {
	read := func() ([]byte, error) { return os.ReadFile(file) }
	if file == "-" {
		read = func() ([]byte, error) { return io.ReadAll(stdin) }
	}
	text, err := read()
	if err != nil {
		return faultserver.Script{}, fmt.Errorf("cannot be read: %w", reasonOf(err))
	}
	return faultserver.Parse(text)
}

// readInjections reads everything that --inject needs, and finds the webhooks
// among the inputs and the static ones.
func readInjections(o *options, in *inputs, s *server) ([]aimed, error) {
	injections, err := parseInjections(o.inject)
	if err != nil {
		return nil, err
	}
	if err := readScripts(injections, o.stdin); err != nil {
		return nil, err
	}
	return aim(injections, in.webhooks(s))
}
