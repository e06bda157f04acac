package results

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/gatehouse/internal/message"
)

// MergeOptions are the inputs of Merge.
type MergeOptions struct {
	// Paths are the files of shards, and folders with them.
	Paths []string
	// Output is the file to write. It must not exist.
	Output string
	// KeepDuplicates keeps all results of an ID that several requests have. By
	// default that is an error.
	KeepDuplicates bool
	// Progress is called with the number of results that were read and that there
	// are. Optional.
	Progress func(done, all int)
}

// Merge writes the results of all shards of a replay to one file, by ID, and
// returns their summary. A shard that is missing or not complete is a
// message.InputError, and so are several requests with one ID. After an error there
// is no file.
func Merge(ctx context.Context, o *MergeOptions) (s *Summary, err error) {
	if _, err := os.Lstat(o.Output); err == nil {
		return nil, &message.InputError{Err: fmt.Errorf("%s: the file exists", o.Output)}
	}
	inputs, err := openInputs(o.Paths)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(filepath.Dir(o.Output), ".merge-")
	if err != nil {
		err = fmt.Errorf("%s: no folder can be created beside it: %w", o.Output, message.FileError(err))
		return nil, &message.InputError{Err: err}
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	m := &merger{
		MergeOptions: o, ctx: ctx, inputs: inputs, summary: NewSummary(),
		sorter: sorter{folder: folder, limit: maxBatch, fan: maxRuns},
	}
	for i := range inputs {
		m.all += inputs[i].Results
		m.summary.Broken += inputs[i].Broken
	}
	written := filepath.Join(folder, "results.jsonl")
	if err := m.merge(written); err != nil {
		return nil, err
	}
	m.summary.Finish()
	return m.summary, os.Rename(written, o.Output)
}

// merger merges inputs.
type merger struct {
	*MergeOptions
	ctx     context.Context
	inputs  []input
	sorter  sorter
	summary *Summary
	// done is the number of results that were read, and all that of the inputs.
	done, all int
	// last is the last record that was written, and duplicates has a line for each
	// of the first records with the same ID as another one.
	last       record
	duplicates []string
	repeated   int
}

func (m *merger) merge(name string) error {
	for i := range m.inputs {
		if err := m.read(i); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<16)
	err = m.sorter.each(func(r *record) error { return m.write(out, r) })
	if err := errors.Join(err, out.Flush(), file.Close()); err != nil {
		return err
	}
	if m.repeated > 0 && !m.KeepDuplicates {
		return &message.InputError{Err: m.duplicateError()}
	}
	return nil
}

// read adds the results of an input to the sorter.
func (m *merger) read(i int) error {
	in := &m.inputs[i]
	file, err := os.Open(in.name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // nothing was written
	all := newLines(in.name, file)
	if _, err := all.header(); err != nil {
		return err
	}
	for n := 0; ; n++ {
		next, err := all.next()
		if err == nil && next.isEnd() {
			if n != in.Results {
				err = fmt.Errorf("the file has %d results, not %d", n, in.Results)
				return &message.InputError{Err: fmt.Errorf("%s:%d: %w", in.name, next.number, err)}
			}
			return nil
		}
		if errors.Is(err, io.EOF) {
			err = all.wrap(errCut)
		}
		if err != nil {
			return &message.InputError{Err: err}
		}
		if err := m.add(i, &next); err != nil {
			return err
		}
	}
}

// add adds a line of an input to the sorter.
func (m *merger) add(i int, l *line) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	r, err := newRecord(l.text, i, l.number)
	if err != nil {
		return &message.InputError{Err: fmt.Errorf("%s:%d: %w", m.inputs[i].name, l.number, err)}
	}
	m.done++
	if m.Progress != nil {
		m.Progress(m.done, m.all)
	}
	return m.sorter.add(r)
}

// write writes a record.
func (m *merger) write(out io.Writer, r *record) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if m.last.text != nil && string(m.last.id) == string(r.id) {
		m.repeat(r)
	}
	m.last = *r
	result, err := (&line{text: r.text}).result()
	if err != nil {
		return &message.InputError{Err: fmt.Errorf("%s: %w", m.position(r), err)}
	}
	m.summary.Add(result)
	_, err = fmt.Fprintf(out, "%s\n", r.text)
	return err
}

func (m *merger) position(r *record) string {
	return fmt.Sprintf("%s:%d", m.inputs[r.file].name, r.line)
}

// repeat notes a record with the ID of the last one.
func (m *merger) repeat(r *record) {
	const enough = 10
	if m.repeated++; len(m.duplicates) < enough {
		m.duplicates = append(m.duplicates, fmt.Sprintf("%s and %s: requests with the same ID, %s",
			m.position(&m.last), m.position(r), r.id))
	}
}

func (m *merger) duplicateError() error {
	if more := m.repeated - len(m.duplicates); more > 0 {
		m.duplicates = append(m.duplicates, fmt.Sprintf("%d more have one", more))
	}
	return errors.New(strings.Join(m.duplicates, "\n"))
}
