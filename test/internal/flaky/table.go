package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// report writes a line for each result, and returns how many packages have
// failed.
func report(w io.Writer, results []*result) (failed int, err error) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(values ...any) {
		if err == nil {
			_, err = fmt.Fprintf(table, "%v\t%v\t%v\t%v\n", values...)
		}
	}
	line("PACKAGE", "RUNS", "FAILED", "TESTS")
	for _, r := range results {
		if r.failed > 0 {
			failed++
		}
		line(r.path, r.runs, r.failed, r.names())
	}
	if err == nil {
		err = table.Flush()
	}
	return failed, err
}

// names are the tests that have failed, each with how often.
func (r *result) names() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.tests)) {
		names = append(names, fmt.Sprintf("%s (%d)", name, r.tests[name]))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}
