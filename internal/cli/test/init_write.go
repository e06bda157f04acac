package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/draft"
	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/suite/process"
	"example.com/gatehouse/internal/suite/suitefile"
)

// writeInit writes a suite from the current results of the samples.
func (o *options) writeInit(ctx context.Context, stdout io.Writer) error {
	f := &initSuite{options: o}
	if err := errors.Join(f.check(o.file), f.read()); err != nil {
		return &message.InputError{Err: err}
	}
	webhooks, err := f.prepare()
	if err != nil {
		return err
	}
	frame, err := f.frame(webhooks)
	if err != nil {
		return err
	}
	if err := f.run(ctx); err != nil {
		return err
	}
	d, err := draft.Make(frame, f.suite.Webhooks(), f.samples)
	if err == nil {
		err = f.leaveOut(d)
	}
	var refused *resolve.NotReachedError
	switch {
	case errors.As(err, &refused):
		return &message.NotReachedError{Err: err}
	case err != nil:
		return &message.InputError{Err: err}
	}
	return f.write(d, stdout)
}

// unreached explains why samples have no case, and the remedy.
const unreached = "their webhooks cannot be called: --exec starts webhooks, and --resolve and " +
	"--ca-file configure how to reach running ones; those on other machines need --connect-anywhere"

// leaveOut prints the omitted samples. It is an error if no other is left.
func (f *initSuite) leaveOut(d *draft.Draft) error {
	switch {
	case len(d.LeftOut) == 0:
		return nil
	case len(d.Test.Cases) == 0:
		return errors.Join(append(d.LeftOut, errors.New("--init: no sample is left: "+unreached))...)
	}
	for _, err := range d.LeftOut {
		message.Notice(f.stderr, "left out: %s", shown(err.Error()))
	}
	message.Notice(f.stderr, "%s; then --init can write them into another suite", unreached)
	return nil
}

// run makes the requests.
func (f *initSuite) run(ctx context.Context) (err error) {
	defer command.HoldSignals(ctx)()
	defer func() {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	}()
	p := newProgress(f.stderr, time.Now())
	f.remark(p, f.suite)
	p.begin(f.suite, len(f.cases))
	defer p.Watch()()
	defer p.end()
	stage, err := f.suite.Start(ctx, suite.EnvironmentOptions{Output: f.live(p)})
	if err != nil {
		return unusable(err)
	}
	for i, c := range f.cases {
		r := stage.Run(ctx, c)
		if p.see(r); r.Err != nil && !r.NotReached() {
			err = errors.Join(err, r.Err)
		}
		f.samples[i].Response = r.Response
	}
	return unusable(errors.Join(err, stage.Close()))
}

// unusable returns an error about webhooks as an input error.
func unusable(err error) error {
	if err == nil {
		return nil
	}
	var p *process.Error
	if errors.As(err, &p) {
		err = fmt.Errorf("--exec: %w", p)
	}
	return &message.InputError{Err: err}
}

// write writes the files, none of which may exist, and prints their names.
func (f *initSuite) write(d *draft.Draft, stdout io.Writer) error {
	text, err := d.Text()
	if err != nil {
		return err
	}
	if err := f.readable(text); err != nil {
		return &message.InputError{Err: fmt.Errorf("the suite would be wrong: %w", err)}
	}
	folder := filepath.Dir(f.file)
	var problems []error
	for _, g := range d.Goldens {
		problems = append(problems, f.check(filepath.Join(folder, g.Path)))
	}
	if err := errors.Join(problems...); err != nil {
		return &message.InputError{Err: err}
	}
	if err := f.writeFiles(d, text); err != nil {
		return err
	}
	return command.Write(stdout,
		fmt.Appendf(nil, "wrote %s with %s and %s\nRead it, and run it with:\n  gatehouse test %s\n",
			shown(f.file), message.Count(len(d.Test.Cases), "case"), message.Count(len(d.Goldens),
				"golden file"), message.Quoted(f.file)))
}

// writeFiles writes the golden files and then the suite. After an error it removes what it
// has written, which would be in the way of the next attempt.
func (f *initSuite) writeFiles(d *draft.Draft, text []byte) (err error) {
	var made []string
	defer func() {
		if err == nil {
			return
		}
		for _, path := range made {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	for _, g := range d.Goldens {
		path := filepath.Join(filepath.Dir(f.file), g.Path)
		written, err := golden.Write(path, g.Response)
		if err != nil {
			return err
		}
		if written {
			made = append(made, path)
		}
	}
	mode := fs.FileMode(0o666)
	if d.Secret {
		mode = 0o600
	}
	if err := create(f.file, text, mode); err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	return nil
}

// readable returns the errors that the suite would have.
func (f *initSuite) readable(text []byte) error {
	for d, err := range manifest.Documents(f.file, bytes.NewReader(text)) {
		if err != nil {
			return err
		}
		if _, err := suitefile.Read(d); err != nil {
			return err
		}
	}
	return nil
}

// create writes a new file, and creates its folders. After an error there is no new file.
func create(path string, text []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
