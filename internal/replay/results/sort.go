package results

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

const (
	// maxBatch is the size of the results that are sorted in memory, in bytes.
	maxBatch = 64 << 20
	// maxRuns is how many sorted files are merged at once.
	maxRuns = 128
)

// record is a result with its position.
type record struct {
	// text is the line. id is the part of it that is the ID, as JSON.
	text, id []byte
	// file is the index of the input.
	file, line int
}

// newRecord returns the record of a line.
func newRecord(text []byte, file, line int) (record, error) {
	rest, ok := bytes.CutPrefix(text, []byte(`{"id":"`))
	if !ok {
		return record{}, errors.New("the line is not a result")
	}
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return record{text, rest[:i], file, line}, nil
		}
	}
	return record{}, errors.New("the line is not a result")
}

// compare orders records by ID. Those with equal IDs have an order that does not
// depend on the files.
func (r *record) compare(o *record) int {
	return cmp.Or(bytes.Compare(r.id, o.id), bytes.Compare(r.text, o.text),
		cmp.Compare(r.file, o.file), cmp.Compare(r.line, o.line))
}

// sorter sorts any number of records by means of files in a folder.
type sorter struct {
	folder string
	batch  []record
	size   int
	runs   []string
	named  int
	// limit and fan are maxBatch and maxRuns, but for tests.
	limit, fan int
}

// add adds a record.
func (s *sorter) add(r record) error {
	const overhead = 128 // of a record in memory
	s.batch = append(s.batch, r)
	if s.size += len(r.text) + overhead; s.size < s.limit {
		return nil
	}
	s.sortBatch()
	return s.spill(func(yield func(*record) error) error {
		for i := range s.batch {
			if err := yield(&s.batch[i]); err != nil {
				return err
			}
		}
		s.batch, s.size = nil, 0
		return nil
	})
}

func (s *sorter) sortBatch() {
	slices.SortFunc(s.batch, func(a, b record) int { return a.compare(&b) })
}

// spill writes records to a new run.
func (s *sorter) spill(each func(func(*record) error) error) error {
	s.named++
	file, err := os.CreateTemp(s.folder, fmt.Sprintf("run-%d-*", s.named))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<16)
	err = each(func(r *record) error {
		_, err := fmt.Fprintf(out, "%d %d %s\n", r.file, r.line, r.text)
		return err
	})
	s.runs = append(s.runs, file.Name())
	return errors.Join(err, out.Flush(), file.Close())
}

// each calls yield with all records in their order.
func (s *sorter) each(yield func(*record) error) error {
	for len(s.runs) > s.fan {
		some := s.runs[:s.fan]
		s.runs = slices.Clone(s.runs[s.fan:])
		merge := func(yield func(*record) error) error { return mergeRuns(some, nil, yield) }
		if err := s.spill(merge); err != nil {
			return err
		}
		for _, name := range some {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	s.sortBatch()
	return mergeRuns(s.runs, s.batch, yield)
}

// mergeRuns calls yield with the records of files and of a batch, all of them
// sorted, in their order.
func mergeRuns(names []string, batch []record, yield func(*record) error) error {
	var all runs
	defer func() {
		for _, r := range all {
			r.close()
		}
	}()
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		all = append(all, &run{file: file, in: newLines(name, file)})
		if err := all[len(all)-1].read(); err != nil {
			return err // no run is empty
		}
	}
	if len(batch) > 0 {
		all = append(all, &run{next: batch[0], batch: batch[1:]})
	}
	heap.Init(&all)
	for len(all) > 0 {
		if err := yield(&all[0].next); err != nil {
			return err
		}
		if err := all.advance(); err != nil {
			return err
		}
	}
	return nil
}

// advance reads the next record of the first run.
func (r *runs) advance() error {
	err := (*r)[0].read()
	if errors.Is(err, io.EOF) {
		heap.Pop(r).(*run).close()
		return nil
	}
	heap.Fix(r, 0)
	return err
}

// run is a sorted sequence of records, in a file or in a batch.
type run struct {
	file  *os.File
	in    *lines
	batch []record
	next  record
}

// read reads the next record. The error is io.EOF after the last one.
func (r *run) read() error {
	if r.file == nil {
		if len(r.batch) == 0 {
			return io.EOF
		}
		r.next, r.batch = r.batch[0], r.batch[1:]
		return nil
	}
	next, err := r.in.next()
	if err != nil {
		return err
	}
	var file, line int
	position, text, _ := bytes.Cut(next.text, []byte(" {"))
	if _, err := fmt.Sscanf(string(position), "%d %d", &file, &line); err != nil {
		return err
	}
	r.next, err = newRecord(next.text[len(next.text)-len(text)-1:], file, line)
	return err
}

func (r *run) close() {
	if r.file != nil {
		_ = r.file.Close() // nothing was written
	}
}

// runs is a heap of runs by their next record.
type runs []*run

func (r runs) Len() int           { return len(r) }
func (r runs) Less(i, j int) bool { return r[i].next.compare(&r[j].next) < 0 }
func (r runs) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *runs) Push(x any)        { *r = append(*r, x.(*run)) }

func (r *runs) Pop() any {
	last := len(*r) - 1
	popped := (*r)[last]
	*r = (*r)[:last]
	return popped
}
