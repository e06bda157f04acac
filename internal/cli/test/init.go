package test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/draft"
	"example.com/gatehouse/internal/suite/suitefile"
)

// initSuite is a suite in preparation.
type initSuite struct {
	*options
	samples []draft.Sample
	// described are the objects among the arguments that describe the cluster.
	// The suite names the files that contain nothing else, and contains the
	// other objects.
	described []*manifest.Document
	files     []string
	written   []*manifest.Document
	// suite has the cases of the samples, in order, without expectations.
	suite *suite.Suite
	cases []*suite.Case
}

// check reports an existing file.
func (f *initSuite) check(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("--init: %s: the file exists", path)
	}
	return nil
}

// prepare creates the suite, and returns its webhook entries. It creates the
// suite twice, because the entries depend on the webhooks of its
// configurations.
func (f *initSuite) prepare() ([]suitefile.Webhook, error) {
	table, err := flags.Routes(f.resolve)
	if err != nil {
		return nil, &message.UsageError{Err: err}
	}
	if _, err := flags.CA(f.caFile); err != nil {
		return nil, &message.InputError{Err: err}
	}
	from := &suitefile.Suite{File: f.file, Name: "init", Configs: f.configs, Inline: f.described,
		Recursive: f.recursive,
		Namespace: "default"}
	if f.suite, err = suite.New(from, f.suiteOptions()...); err != nil {
		return nil, &message.InputError{Err: err}
	}
	served, err := f.served()
	if err != nil {
		return nil, err
	}
	from.Webhooks = draft.Entries(f.suite.Webhooks(), table, f.caFile, served)
	if f.suite, err = suite.New(from, f.suiteOptions()...); err != nil {
		return nil, &message.InputError{Err: err}
	}
	return from.Webhooks, f.addCases()
}

// addCases adds the samples as cases.
func (f *initSuite) addCases() error {
	var problems []error
	for i := range f.samples {
		c, err := f.suite.Make(fmt.Sprint("sample ", i), f.samples[i].Document, suitefile.Expect{})
		problems = append(problems, err)
		f.cases = append(f.cases, c)
	}
	if err := errors.Join(problems...); err != nil {
		return &message.InputError{Err: err}
	}
	return nil
}

// served returns the entry for the command of --exec, in the working directory;
// nil without --exec.
func (f *initSuite) served() (*suitefile.Exec, error) {
	if f.exec == "" {
		return nil, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("looking for the working directory: %w", err)
	}
	return &suitefile.Exec{Command: draft.Shell(f.exec), WorkingDir: here}, nil
}

// frame returns the suite without its cases, with paths relative to its folder.
func (f *initSuite) frame(webhooks []suitefile.Webhook) (draft.Frame, error) {
	frame := draft.Frame{Name: strings.TrimSuffix(filepath.Base(f.file), filepath.Ext(f.file)),
		Described: f.written, Recursive: f.recursive}
	var problems []error
	relative := func(path string) string {
		path, err := f.fromFolder(path)
		problems = append(problems, err)
		return path
	}
	for _, path := range slices.Concat(f.configs, f.files) {
		frame.Configurations = append(frame.Configurations, relative(path))
	}
	for _, w := range webhooks {
		if w.CAFile != "" {
			w.CAFile = relative(w.CAFile)
		}
		if w.Exec != nil {
			exec := *w.Exec
			if exec.WorkingDir = relative(exec.WorkingDir); exec.WorkingDir == "." {
				exec.WorkingDir = ""
			}
			w.Exec = &exec
		}
		frame.Webhooks = append(frame.Webhooks, w)
	}
	return frame, errors.Join(problems...)
}

// fromFolder returns a path relative to the folder of the suite, with slashes.
func (f *initSuite) fromFolder(path string) (string, error) {
	folder, err := filepath.Abs(filepath.Dir(f.file))
	if err != nil {
		return "", fmt.Errorf("--init: %w", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", fmt.Errorf("--init: %w", err)
	}
	if path, err = filepath.Rel(folder, path); err != nil {
		return "", fmt.Errorf("--init: %w", err)
	}
	return filepath.ToSlash(path), nil
}
