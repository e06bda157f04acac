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
	figures  map[unit]figure
	others   []unit // beside time, bytes and allocations
	verdicts []verdict
}

func newLine(r result) line {
	l := line{result: r, figures: map[unit]figure{}}
	for _, u := range r.samples.units() {
		l.figures[u] = r.samples.figure(u)
		if u != timePerOp && u != bytesPerOp && u != allocsPerOp {
			l.others = append(l.others, u)
		}
	}
	for _, f := range r.floors {
		measured, ok := l.figures[f.unit]
		if !ok {
			measured = samples{}.figure(f.unit)
		}
		l.verdicts = append(l.verdicts, f.judge(measured))
	}
	return l
}

// below are the floors that the row does not reach.
func (l *line) below() []verdict {
	var missed []verdict
	for _, v := range l.verdicts {
		if !v.met {
			missed = append(missed, v)
		}
	}
	return missed
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

// notes are the row's other figures and its verdicts.
func (l *line) notes() string {
	var notes []string
	for _, u := range l.others {
		notes = append(notes, string(u)+" "+cell(l.figures[u]))
	}
	mark := "ok"
	if len(l.verdicts) == 0 {
		mark = "no floor"
	}
	if missed := l.below(); len(missed) > 0 {
		var texts []string
		for _, v := range missed {
			texts = append(texts, v.String())
		}
		mark = "BELOW ITS FLOOR: " + strings.Join(texts, ", ")
	}
	return strings.Join(append([]string{mark}, notes...), "; ")
}

// report prints one line per row and returns how many are below their floors.
func report(w io.Writer, lines []line) (below int, err error) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "row\tratio\ttime\tbytes\tallocs\tfloors")
	for i := range lines {
		l := &lines[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", l.name, l.ratio(), l.cell(timePerOp),
			l.cell(bytesPerOp), l.cell(allocsPerOp), l.notes())
		if len(l.below()) > 0 {
			below++
		}
	}
	return below, table.Flush()
}
