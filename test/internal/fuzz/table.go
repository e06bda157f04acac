package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// report writes a line for each result and one for all of them, and returns how
// many have a finding.
func report(w io.Writer, results []result) (findings int, err error) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(values ...any) {
		if err == nil {
			_, err = fmt.Fprintf(table, "%v\t%v\t%v\t%v\n", values...)
		}
	}
	line("TARGET", "EXECUTIONS", "NEW", "FINDING")
	executions, fresh := 0, 0
	for _, r := range results {
		finding := "none"
		switch {
		case r.finding != "":
			finding = r.finding
			findings++
		case r.executions == 0:
			finding = "none; the time was up with the seeds"
		}
		executions, fresh = executions+r.executions, fresh+r.fresh
		line(r.target, r.executions, r.fresh, finding)
	}
	line(fmt.Sprintf("%d targets", len(results)), executions, fresh, findings)
	if err == nil {
		err = table.Flush()
	}
	return findings, err
}
