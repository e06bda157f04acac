package junit

import "time"

// Report contains the results of several suites.
type Report struct {
	// Name is the subject of the tests.
	Name string
	// Suites are in the order in which they are shown.
	Suites []Suite
}

// Suite is a group of cases.
type Suite struct {
	// Name is unique in the report. Required.
	Name string
	// Properties are shown beside the cases.
	Properties []Property
	// Cases are in the order in which they ran.
	Cases []Case
	// SystemOut is the output of the suite; may be empty.
	SystemOut string
}

// Property describes a suite.
type Property struct {
	// Name is required.
	Name, Value string
}

// Case is one result: a pass, unless it has failures, an error, or a reason to
// be skipped.
type Case struct {
	// Name is unique in its Class. Required.
	Name string
	// Class is the group of the case in CI systems, even across suites.
	Class string
	// Duration is 0 if it is unknown.
	Duration time.Duration

	// Failures are failed expectations.
	Failures []Message
	// Error says why there is no result. Failures take precedence.
	Error *Message
	// Skipped says why the case did not run. Failures and Error take
	// precedence.
	Skipped *Message

	// SystemOut is the output of the case; may be empty.
	SystemOut string
}

// Message is a message about a case.
type Message struct {
	// Summary is one line, and Type one word for the kind of message.
	Summary, Type string
	// Text is the whole message; empty if the summary is whole.
	Text string
}

// verdict is the result of a case.
type verdict uint8

const (
	passed verdict = 1 + iota
	failed
	broken
	skipped
)

func (c *Case) verdict() verdict {
	switch {
	case len(c.Failures) > 0:
		return failed
	case c.Error != nil:
		return broken
	case c.Skipped != nil:
		return skipped
	}
	return passed
}

// counts are the numbers of all cases, and of some verdicts.
type counts struct{ all, failed, broken, skipped int }

func (s *Suite) counts() counts {
	n := counts{all: len(s.Cases)}
	for i := range s.Cases {
		switch s.Cases[i].verdict() {
		case failed:
			n.failed++
		case broken:
			n.broken++
		case skipped:
			n.skipped++
		case passed:
		}
	}
	return n
}
