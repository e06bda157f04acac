package inject

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/test/faultserver"
)

// Flag is a value of --inject.
type Flag struct {
	// Value is what was written.
	Value string
	// Webhook is a webhook's name, or CONFIGURATION/NAME; or a pattern for
	// either, as of path.Match.
	Webhook string
	// File holds the script, and may be "-"; empty if the fault has a name.
	File string
	// Fault is what to inject. That of a file is named after it, and without a
	// script before ReadScripts.
	Fault faultserver.Fault
}

const form = "want WEBHOOK=FAULT or WEBHOOK=@FILE"

// aliases are second names of faults, after their effects.
var aliases = map[string]string{
	"down":    "refuse",
	"timeout": "hang",
	"expired": "expired-cert",
}

// Aliases returns the second names of faults, with the first ones.
func Aliases() map[string]string { return maps.Clone(aliases) }

// IsPattern reports whether Webhook is a pattern. Names have none of its
// characters.
func (f *Flag) IsPattern() bool { return strings.ContainsAny(f.Webhook, `*?[\`) }

// Matches reports whether the pattern matches one of the names of a webhook.
func (f *Flag) Matches(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		matched, err := path.Match(f.Webhook, name)
		return err == nil && matched // Parse has rejected patterns with errors
	})
}

// Parse reads the values of --inject, but no files. It returns those that are
// in order, and what is wrong with the first that is not.
func Parse(values []string) ([]Flag, error) {
	var flags []Flag
	var wrong error
	for _, value := range values {
		f, err := parse(value)
		switch {
		case err == nil:
			flags = append(flags, f)
		case wrong == nil:
			wrong = fmt.Errorf("--inject %q: %w", value, err)
		}
	}
	return flags, wrong
}

func parse(value string) (Flag, error) {
	webhook, fault, _ := strings.Cut(value, "=")
	if webhook == "" || fault == "" || fault == "@" {
		return Flag{}, errors.New(form)
	}
	f := Flag{Value: value, Webhook: webhook}
	if _, err := path.Match(webhook, ""); err != nil {
		return Flag{}, fmt.Errorf("invalid pattern %q: %w", webhook, err)
	}
	if file, ok := strings.CutPrefix(fault, "@"); ok {
		f.File, f.Fault.Name = file, fault
		return f, nil
	}
	var err error
	f.Fault, err = Fault(fault)
	return f, err
}

// Fault returns the fault of that name, which may be an alias. The error
// suggests others.
func Fault(name string) (faultserver.Fault, error) {
	f, ok := faultserver.Lookup(cmp.Or(aliases[name], name))
	if ok {
		return f, nil
	}
	names := slices.Sorted(maps.Keys(aliases))
	for _, f := range faultserver.Named() {
		names = append(names, f.Name)
	}
	hint := cmp.Or(message.DidYouMean(name, names), "'gatehouse faults' lists all faults")
	return faultserver.Fault{}, fmt.Errorf("there is no fault %q: %s", name, hint)
}

// ReadScripts completes the flags whose scripts are in files. The error has one
// line for everything that is wrong with them.
func ReadScripts(flags []Flag, stdin io.Reader) error {
	var problems []error
	for i := range flags {
		f := &flags[i]
		if f.File == "" {
			continue
		}
		var err error
		f.Fault.Script, err = readScript(f.File, stdin)
		for _, problem := range each(err) {
			problems = append(problems, fmt.Errorf("--inject: %s: %w", manifest.FileName(f.File), problem))
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
		return faultserver.Script{}, fmt.Errorf("cannot be read: %w", message.FileError(err))
	}
	return faultserver.Parse(text)
}
