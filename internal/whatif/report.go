package whatif

import (
	"example.com/gatehouse/internal/whatif/changes"
)

// Report describes what changes for the requests of a corpus.
type Report struct {
	// Changes are the changes of the set. Causes refer to them by their indexes.
	Changes []changes.Change
	// Requests counts the requests that were compared, and Different those with a
	// difference; by the most serious level of their differences in
	// Levels.
	Requests  int
	Different int
	Levels    map[Level]int
	// Undecided counts the requests with a difference whose verdict is not known in one
	// set, because an answer is missing, and Assumed those with an answer that may
	// have been recorded for another object.
	Undecided int
	Assumed   int
	// Unknown counts the requests without a difference whose verdict is not known.
	Unknown int
	// Failed counts the requests that neither set can simulate, with some of the reasons.
	Failed   int
	Failures []string
	// Causes are sorted by the numbers of their requests with another verdict, then with
	// another object, and then of all, the largest first.
	Causes []*Cause
	// Unstable are the differences between two runs of one set, which have no cause.
	Unstable []*Unstable
	// Incomplete is true if not all requests were compared.
	Incomplete bool
}

// Cause is one change, or several that must be undone together. Without it, its requests
// have the outcome before.
type Cause struct {
	// Changes are indexes of Report.Changes. It is empty for differences whose cause
	// was not found.
	Changes []int
	// Also are changes each of which alone, if it is undone, has the same effect.
	Also []int
	// Requests counts the requests, by the most serious level of their differences in
	// Levels.
	Requests int
	Levels   map[Level]int
	// Undecided and Assumed are as in the Report.
	Undecided, Assumed int
	// Effects are the effects on the requests, the most serious first.
	Effects []Effect
	// IDs are those of the first requests.
	IDs []string
	// Example is the first one of those with the most serious differences.
	Example Example

	effects map[string]*Effect
}

// Effect is a difference of the outcome of requests.
type Effect struct {
	Text string `json:"text"`
	// Kind is the text without its subject, such as "no longer called".
	Kind     string `json:"-"`
	Level    Level  `json:"level"`
	Requests int    `json:"requests"`
}

// Example is one request of a Cause.
type Example struct {
	ID      string `json:"id"`
	Request string `json:"request"`
	Items   []Item `json:"differences"`
}

// Unstable is a difference between two runs of the same set.
type Unstable struct {
	// What is the webhook, or else the field, and Requests counts its requests.
	What     string `json:"what"`
	Requests int    `json:"requests"`
	// ID is that of the first one.
	ID string `json:"id"`
}

// Unused returns the indexes of the changes that are no cause: they affect no request of
// the corpus.
func (r *Report) Unused() []int {
	used := map[int]bool{}
	for _, c := range r.Causes {
		for _, i := range c.Changes {
			used[i] = true
		}
		for _, i := range c.Also {
			used[i] = true
		}
	}
	var unused []int
	for i := range r.Changes {
		if !used[i] {
			unused = append(unused, i)
		}
	}
	return unused
}

// Fails reports whether there is a difference of a level or of one that it includes.
func (r *Report) Fails(level Level) bool {
	for _, l := range Levels {
		if r.Levels[l] > 0 {
			return true
		}
		if l == level {
			break
		}
	}
	return false
}
