package auditlog

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"example.com/gatehouse/internal/auditlog/rawjson"
)

// source reads one file.
type source struct {
	name  string
	since time.Time
	lines *lines
	names *interner
	stats Stats
	// begin is the line where the current document begins.
	begin int
	batch batch
	send  func(batch) bool
}

// batch is a number of events in the order of the file, and what else was read since the
// last batch.
type batch struct {
	events []*Event
	size   int
	stats  Stats
}

// The sizes from which a batch is sent on.
const (
	batchEvents = 64
	batchBytes  = 256 << 10
)

// read reads the file to its end, or until send returns false, which means that the events
// are no longer wanted.
func (s *source) read(ctx context.Context, r io.Reader) {
	s.stats.Files = 1
	defer s.flush()
	content, closer, err := decompressed(r)
	if err != nil {
		s.broken(0, err.Error())
		return
	}
	defer closer()
	s.lines = newLines(content)
	for ctx.Err() == nil && s.next() {
		if s.full() || s.lines.waits() {
			if !s.flush() {
				break
			}
		}
	}
}

func (s *source) full() bool {
	return len(s.batch.events) >= batchEvents || s.batch.size >= batchBytes
}

// flush sends the batch. It returns false if it is no longer wanted.
func (s *source) flush() bool {
	if s.lines != nil {
		s.stats.Bytes, s.lines.size = s.lines.size, 0
	}
	s.batch.stats = s.stats
	sent := s.send(s.batch)
	s.batch, s.stats = batch{}, Stats{}
	return sent
}

// next reads a line, or a document of several lines. It returns false at the end.
func (s *source) next() bool {
	line, err := s.lines.next()
	s.begin = s.lines.line
	if err == nil && string(bytes.TrimRight(line, " \t\r")) == "{" {
		line, err = s.lines.document(line)
	}
	switch {
	case errors.Is(err, errLong):
		s.broken(s.begin, err.Error())
		return true
	case err != nil && !errors.Is(err, io.EOF):
		s.broken(s.lines.line, "reading failed: "+err.Error())
		return false
	}
	s.values(line)
	return err == nil
}

// values reads the JSON values of a line: usually one event. After a part that is no event
// it goes on with the next one in the line, because a server that is killed writes a part of
// a line, to which the next server appends.
func (s *source) values(line []byte) {
	var p parts
	for i, left := 0, maxResumes; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' || line[i] == '\r' || line[i] == '\n' || line[i] == 0 {
			i++
			continue
		}
		end := p.split(line, i)
		if end < 0 {
			s.broken(s.begin, "not an event: the JSON is broken or cut off")
			if i = nextEvent(line, i+1); i < 0 || left == 0 {
				return
			}
			left--
			continue
		}
		s.value(&p, line, i, end)
		i = end
	}
}

// maxResumes bounds how often the reading goes on within a line, each time up to its end.
const maxResumes = 16

// nextEvent returns the index of the next beginning of an event in a line; -1 if there is
// none.
func nextEvent(line []byte, from int) int {
	i := bytes.Index(line[from:], []byte(`{"kind":"Event"`))
	if i < 0 {
		return -1
	}
	return from + i
}

// value reads an event, or a list of events, that p was split from.
func (s *source) value(p *parts, line []byte, begin, end int) {
	switch {
	case p.isEvent():
		s.event(p, line[begin:end])
	case string(unquoted(p.kind)) == "EventList" && p.items != nil:
		rawjson.Items(p.items, func(item []byte) bool {
			var q parts
			if q.split(item, 0) < 0 || !q.isEvent() {
				s.broken(s.begin, "not an event: an item of the list")
			} else {
				s.event(&q, item)
			}
			return true
		})
	default:
		s.broken(s.begin, "not an event: it has no verb, stage or auditID")
	}
}

// event adds an event to the batch if it is relevant. Bodies are copied with it, because
// raw is valid until the next line is read.
func (s *source) event(p *parts, raw []byte) {
	s.stats.Events++
	switch {
	case !p.isFinal():
		s.stats.Partial++
		return
	case !p.isRelevant():
		s.stats.Reading++
		return
	case !s.since.IsZero() && stageTime(p.time).Before(s.since):
		s.stats.Early++
		return
	}
	e, good := p.event(s.names)
	if !good {
		s.broken(s.begin, "an admission annotation is broken")
	}
	e.File, e.Line, e.Size = s.name, s.begin, len(raw)
	e.RequestObject = bytes.Clone(e.RequestObject)
	e.ResponseObject = bytes.Clone(e.ResponseObject)
	e.Annotations, e.User.Extra = bytes.Clone(e.Annotations), bytes.Clone(e.User.Extra)
	s.batch.events = append(s.batch.events, e)
	s.batch.size += len(raw)
}

func (s *source) broken(line int, what string) {
	s.stats.add(Problem{s.name, line, what})
}
