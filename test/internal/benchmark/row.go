package main

import (
	"context"
	"regexp"
	"time"
)

// row is a line of the result: a measurement and its bounds.
type row struct {
	name string
	// what describes the measurement in a sentence.
	what string
	// headline is the unit of the row's ratio, or of its figure if gatehouse is
	// measured alone; time if it is empty.
	headline unit
	// gates are what was measured before, with some room for a busy machine: a
	// run with a row below its gate fails. goals are what is wished for.
	gates, goals []bound
	// together is true if the row is measured in the same rounds as others.
	// Rows that measure something else than a single goroutine's time, or that
	// use much memory, have the process to themselves.
	together bool
	// once is true if one round suffices, because it is long.
	once bool
	// open makes the row ready and sees that both sides do the same.
	open func(context.Context, *settings) (*bench, error)
}

// bench is a row that is ready to be measured.
type bench struct {
	sides []side
	// measure makes one measurement of one of the sides.
	measure func(context.Context, side) (sample, error)
	close   func()
}

// settings is how much is measured. Defaults are in newSettings.
type settings struct {
	rounds int
	// span is the approximate duration of one measurement of one goroutine.
	span time.Duration
	// window is how long one measurement under load takes.
	window time.Duration
	// many is the number of webhooks in rows about large numbers, policies that of
	// policies, pods the number of simulated pods.
	many, policies, pods int
	// large is the size of a large object, long the length of a long chain.
	large, long int
	// out is the folder for files.
	out string
	// rows are those that are measured.
	rows *regexp.Regexp
	// list is set if rows are to be listed and not measured.
	list bool
}

func newSettings() settings {
	return settings{
		rounds: 10, span: 150 * time.Millisecond, window: 2 * time.Second,
		many: 10_000, policies: 1000, pods: 100_000, large: largeSize, long: 100, out: "bin/bench", rows: regexp.MustCompile(""),
	}
}

// allRows is every row, in the order of the report.
func allRows() []row {
	var all []row
	for _, family := range [][]row{
		matchingRows(), validatingRows(), conditionRows(), mutatingRows(), largeRows(), growthRows(),
		loadRows(), coreRows(), changeRows(), simulatorRows(), policyRows(),
	} {
		all = append(all, family...)
	}
	return all
}

// selection converts a pattern to one for names of rows: "B1" is B1 and all
// that begin with "B1/", but not B10.
func selection(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile("^(?:" + pattern + ")(?:/.*)?$")
}

// group is rows that are measured in the same rounds.
type group []row

// chosen are the rows of a run, grouped, in order.
func chosen(all []row, s *settings) []group {
	var shared group
	var groups []group
	for _, r := range all {
		switch {
		case !s.rows.MatchString(r.name):
		case r.together:
			shared = append(shared, r)
		default:
			groups = append(groups, group{r})
		}
	}
	if shared != nil {
		groups = append([]group{shared}, groups...)
	}
	return groups
}
