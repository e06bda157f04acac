package auditlog

import (
	"context"
	"io"
	"os"
	"slices"
	"time"

	"example.com/gatehouse/internal/message"
)

// Input is what to read.
type Input struct {
	// Paths are files; "-" is Stdin.
	Paths []string
	Stdin io.Reader
	// Since is the time of the earliest event; the zero time for all.
	Since time.Time
	// Patience is how long an event may wait for earlier ones while a log is followed. The
	// default, 0, is until the window is full.
	Patience time.Duration
}

// Read visits the relevant events of all files together, in the order of their times as far
// as the memory of the window allows, until ctx is done. It counts and describes in the Stats
// what it cannot read, and continues. The error is that of visit, which ends the reading.
func Read(ctx context.Context, in Input, visit func(*Event) error) (*Stats, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := merger{input: in, ctx: ctx, window: newWindow(visit)}
	m.window.patience = in.Patience
	m.prepare()
	err := m.run()
	if err == nil {
		err = m.window.flush()
	}
	m.stats.Late = m.window.late
	m.stats.First, m.stats.Last = m.window.first, m.window.last
	return &m.stats, err
}

// merger merges the events of several files.
type merger struct {
	input  Input
	ctx    context.Context
	window *window
	stats  Stats
	// waiting are the files that are not open yet, by the time of their first event.
	waiting []pending
	active  []*stream
	// failed is the error of a visit while the merger waited.
	failed error
}

// pending is a file that is going to be read.
type pending struct {
	path  string
	first time.Time
}

// stream is a file that is being read.
type stream struct {
	batches chan batch
	head    []*Event
	ended   bool
}

// prepare looks for the first event of each file, so that run reads a server's older files
// one after the other, and not all at once.
func (m *merger) prepare() {
	for _, path := range m.input.Paths {
		p := pending{path: path}
		// A pipe cannot be read a second time.
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && path != "-" {
			p.first = firstTime(path)
		}
		m.waiting = append(m.waiting, p)
	}
	slices.SortStableFunc(m.waiting, func(a, b pending) int { return a.first.Compare(b.first) })
}

// firstTime returns the time of the first event of a file; the zero time if it has none in
// its first lines, or cannot be read, which is reported later.
func firstTime(path string) time.Time {
	f, err := os.Open(path)
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	content, closer, err := decompressed(f)
	if err != nil {
		return time.Time{}
	}
	defer closer()
	const enough = 10
	l := newLines(content)
	var p parts
	for range enough {
		line, err := l.next()
		if err != nil {
			break
		}
		if p.split(line, 0) > 0 && p.isEvent() {
			return stageTime(p.time)
		}
	}
	return time.Time{}
}

// run moves the earliest event of all files to the window until there is none.
func (m *merger) run() error {
	for m.ctx.Err() == nil {
		s := m.earliest()
		if s == nil {
			if len(m.waiting) == 0 || m.failed != nil {
				return m.failed
			}
			m.open()
			continue
		}
		e := s.head[0]
		if len(m.waiting) > 0 && !m.waiting[0].first.After(e.Time) {
			m.open()
			continue
		}
		s.head = s.head[1:]
		if err := m.window.add(e); err != nil {
			return err
		}
	}
	return nil
}

// earliest returns the file with the earliest next event; nil if no file is left.
func (m *merger) earliest() (found *stream) {
	for _, s := range m.active {
		if !m.fill(s) {
			continue
		}
		if found == nil || s.head[0].Time.Before(found.head[0].Time) {
			found = s
		}
	}
	m.active = slices.DeleteFunc(m.active, func(s *stream) bool { return s.ended })
	return found
}

// fill waits for the next event of a file. It returns false at its end, or if the reading
// was ended. If it waits long, it passes on the events in the window.
func (m *merger) fill(s *stream) bool {
	var long <-chan time.Time
	if m.input.Patience > 0 && len(s.head) == 0 {
		timer := time.NewTimer(m.input.Patience)
		defer timer.Stop()
		long = timer.C
	}
	for len(s.head) == 0 {
		select {
		case <-long:
			if m.failed = m.window.flush(); m.failed != nil {
				return false
			}
		case b, ok := <-s.batches:
			if !ok {
				s.ended = true
				return false
			}
			m.stats.merge(&b.stats)
			s.head = b.events
		case <-m.ctx.Done():
			return false
		}
	}
	return true
}

// open begins to read the next file.
func (m *merger) open() {
	path := m.waiting[0].path
	m.waiting = m.waiting[1:]
	s := &stream{batches: make(chan batch, 2)}
	m.active = append(m.active, s)
	r := &source{name: message.Quoted(path), since: m.input.Since, names: newInterner()}
	r.send = func(b batch) bool {
		select {
		case s.batches <- b:
			return true
		case <-m.ctx.Done():
			return false
		}
	}
	go func() {
		defer close(s.batches)
		m.readFile(r, path)
	}()
}

func (m *merger) readFile(r *source, path string) {
	if path == "-" {
		r.name = "standard input"
		r.read(m.ctx, m.input.Stdin)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		r.stats.Files = 1
		r.broken(0, message.FileError(err).Error())
		r.flush()
		return
	}
	defer f.Close()
	r.read(m.ctx, f)
}
