package junit

import "time"

// Report is the results of several suites.
type Report struct {
	// Name says what was tested.
	Name string
	// Suites are in the order in which they are shown.
	Suites []Suite
}

// Suite is cases that belong together.
type Suite struct {
	// Name tells it apart from the others. Required.
	Name string
	// Properties say what CI systems show beside the cases.
	Properties []Property
	// Cases are in the order in which they ran.
	Cases []Case
	// SystemOut is what was printed besides; empty for nothing.
	SystemOut string
}

// Property is something to know about a suite.
type Property struct {
	// Name and Value are any texts. The name is required.
	Name, Value string
}

// Case is one result: a pass, unless it has failures, an error, or a reason to be skipped.
type Case struct {
	// Name tells it apart from the others of its Class. Required.
	Name string
	// Class is what CI systems group cases by, also over suites.
	Class string
	// Duration is how long it took; 0 if that is not known.
	Duration time.Duration

	// Failures say what was found wrong.
	Failures []Message
	// Error says why nothing could be found out. It counts if there are no Failures.
	Error *Message
	// Skipped says why there was nothing to find out. It counts if there is neither.
	Skipped *Message

	// SystemOut is what was printed; empty for nothing.
	SystemOut string
}

// Message says something about a case.
type Message struct {
	// Summary is a line, and Type a word for what kind of thing it is.
	Summary, Type string
	// Text is all of it; empty if the summary is.
	Text string
}

// verdict is what a case counts as.
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

// counts are how many cases there are in all, and of some verdicts.
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
