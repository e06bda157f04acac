package main

import (
	"regexp"
	"strconv"
	"strings"
)

// result is the result of a run of a target.
type result struct {
	target target
	// executions and fresh are how many inputs were tried, and how many of them
	// reached something that none had before.
	executions, fresh int
	// finding is the file with the input that has failed, below the target's
	// package; or, if there is none, why the run has failed; empty if it has
	// not.
	finding string
}

// progress is a line like
//
//	fuzz: elapsed: 6s, execs: 8057 (1667/sec), new interesting: 16 (total: 45)
var progress = regexp.MustCompile(
	`^fuzz: elapsed: .*, execs: (\d+) \(.*, new interesting: (\d+) \(`)

// failing matches the line with the path of the failing input.
var failing = regexp.MustCompile(`^\s*Failing input written to (\S+)$`)

// read parses a line of go test's output, and reports whether it is a progress
// line.
func (r *result) read(line string) bool {
	if found := progress.FindStringSubmatch(line); found != nil {
		// They only have digits.
		r.executions, _ = strconv.Atoi(found[1])
		r.fresh, _ = strconv.Atoi(found[2])
	}
	if found := failing.FindStringSubmatch(line); found != nil {
		r.finding = found[1]
	}
	return strings.HasPrefix(line, "fuzz: ")
}
