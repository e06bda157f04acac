package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// line is a row of the report.
type line struct {
	result
	figures      map[unit]figure
	others       []unit // beside time, bytes and allocations
	gates, goals []verdict
}

func newLine(r result) line {
	l := line{result: r, figures: map[unit]figure{}}
	for _, u := range r.samples.units() {
		l.figures[u] = r.samples.figure(u)
		if u != timePerOp && u != bytesPerOp && u != allocsPerOp {
			l.others = append(l.others, u)
		}
	}
	l.gates, l.goals = l.judge(r.gates), l.judge(r.goals)
	return l
}

func (l *line) judge(bounds []bound) (verdicts []verdict) {
	for _, b := range bounds {
		measured, ok := l.figures[b.unit]
		if !ok {
			measured = samples{}.figure(b.unit)
		}
		verdicts = append(verdicts, b.judge(measured))
	}
	return verdicts
}

// below reports whether the row misses a gate.
func (l *line) below() bool { return missed(l.gates) != "" }

// missed returns the verdicts that are not met as text.
func missed(verdicts []verdict) string {
	var texts []string
	for _, v := range verdicts {
		if !v.met {
			texts = append(texts, v.String())
		}
	}
	return strings.Join(texts, ", ")
}

// ratio is the row's ratio in its main unit, or the figure itself where there
// is nothing to compare it with and it is no time.
func (l *line) ratio() string {
	u := l.headline
	if u == "" {
		u = timePerOp
	}
	f, measured := l.figures[u]
	switch {
	case !measured:
		return "-"
	case !math.IsNaN(f.ratio):
		return plain(f.ratio)
	case u == timePerOp:
		return "-"
	}
	return amount(u, f.gatehouse)
}

func (l *line) cell(u unit) string {
	f, measured := l.figures[u]
	if !measured {
		return "-"
	}
	return cell(f)
}

// notes are the row's other figures.
func (l *line) notes() string {
	var notes []string
	for _, u := range l.others {
		notes = append(notes, string(u)+" "+cell(l.figures[u]))
	}
	return strings.Join(notes, "; ")
}

// mark says whether bounds are met, and otherwise which are not.
func mark(verdicts []verdict, otherwise string) string {
	switch text := missed(verdicts); {
	case len(verdicts) == 0:
		return "-"
	case text == "":
		return "ok"
	default:
		return otherwise + text
	}
}

// report prints one line per row and returns how many are below their gates.
func report(w io.Writer, lines []line) (below int, err error) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "row\tratio\ttime\tbytes\tallocs\tgates\tgoals\tother figures")
	for i := range lines {
		l := &lines[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.name, l.ratio(), l.cell(timePerOp),
			l.cell(bytesPerOp), l.cell(allocsPerOp), mark(l.gates, "BELOW: "), mark(l.goals, "not yet: "),
			l.notes())
		if l.below() {
			below++
		}
	}
	return below, table.Flush()
}
