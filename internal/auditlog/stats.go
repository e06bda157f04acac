package auditlog

import (
	"fmt"
	"time"
)

// Stats are the counts of a log.
type Stats struct {
	// Files is the number of files, and Bytes their size after decompression.
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	// Events is the number of all events. Of these, Early are before --since, Partial of
	// an earlier stage than the last of a request, and Reading of requests that change
	// nothing. The rest is examined.
	Events  int `json:"events"`
	Early   int `json:"early,omitempty"`
	Partial int `json:"partial,omitempty"`
	Reading int `json:"reading,omitempty"`
	// Late is the number of events that came too late to be sorted.
	Late int `json:"late,omitempty"`
	// First and Last are the times of the first and last event that was examined.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	// Broken is the number of lines, or parts of lines, that are no events, and Problems
	// describe the first ones.
	Broken   int       `json:"broken,omitempty"`
	Problems []Problem `json:"problems,omitempty"`
}

// Problem is a part of a file that could not be read.
type Problem struct {
	File string `json:"file"`
	// Line is 0 for the file as a whole.
	Line int    `json:"line,omitempty"`
	What string `json:"what"`
}

// String returns the problem with its position.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.What
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What)
}

// maxProblems bounds the problems that are described.
const maxProblems = 20

func (s *Stats) add(p Problem) {
	if s.Broken++; len(s.Problems) < maxProblems {
		s.Problems = append(s.Problems, p)
	}
}

// merge adds the counts of a file.
func (s *Stats) merge(o *Stats) {
	s.Files += o.Files
	s.Bytes += o.Bytes
	s.Events += o.Events
	s.Early += o.Early
	s.Partial += o.Partial
	s.Reading += o.Reading
	s.Broken += o.Broken
	s.Problems = append(s.Problems, o.Problems...)
	s.Problems = s.Problems[:min(len(s.Problems), maxProblems)]
}
