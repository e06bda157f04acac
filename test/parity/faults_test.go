package parity

import (
	"flag"
	"fmt"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/parity/fault"
	"example.com/gatehouse/test/parity/world"
)

// live has upstream run also where it takes long, and everything on sockets and
// in real time.
var live = flag.Bool("live", false, "run recorded faults live, and all of them on sockets")

// faults is the table that TestFaults reads.
var faults = flag.String("faults", "testdata/faults.jsonl", "file with one fault on each line")

func loadFaults(t *testing.T) []fault.Row {
	t.Helper()
	rows, err := fault.Load(*faults)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestFaults holds upstream and gatehouse in both modes to what is promised about
// every fault, in both phases and with both policies.
func TestFaults(t *testing.T) {
	runner, err := fault.NewRunner(oracle())
	if err != nil {
		t.Fatal(err)
	}
	rows := loadFaults(t)
	differences := 0
	for i := range rows {
		row := &rows[i]
		t.Run(row.ID, func(t *testing.T) {
			existing := goleak.IgnoreCurrent()
			for _, c := range fault.Combinations() {
				for _, side := range []world.Side{world.Upstream, world.Gatehouse, world.Exact} {
					differences += judge(t, runner, row, c, side)
				}
			}
			if err := goleak.Find(existing); err != nil {
				t.Errorf("after all: %v", err)
			}
		})
	}
	compared.say("faults %d × %d, differences from the contract %d", len(rows), len(fault.Combinations()), differences)
}

// judge runs one side and returns how many differences it has reported.
func judge(t *testing.T, runner *fault.Runner, row *fault.Row, c fault.Combination, side world.Side) int {
	t.Helper()
	if side == world.Upstream && row.Recorded && !*live {
		return 0
	}
	promised, err := row.Promised(side, c)
	if err != nil {
		t.Fatal(err)
	}
	if promised.Verdict == fault.Hung {
		return 0
	}
	var (
		observed fault.Outcome
		timing   fault.Timing
	)
	run := func(t *testing.T, carry fault.Carrier) {
		if observed, timing, err = runner.Run(t.Context(), row, c, side, carry); err != nil {
			t.Fatal(err)
		}
	}
	virtual := !*live && row.Script.NeedsSockets() == ""
	if virtual {
		synctest.Test(t, func(t *testing.T) { run(t, faultserver.InMemory) })
	} else {
		run(t, faultserver.Listen)
	}
	lines := fault.Diff(promised, observed)
	if late := timing.Took - timing.Limit; virtual && side != world.Upstream && late > 0 {
		lines = append(lines, fmt.Sprintf("returned %s after the deadline of %s", late, timing.Limit))
	}
	for _, line := range lines {
		t.Errorf("%s, %s, %s: %s", row.ID, c, side, line)
	}
	return len(lines)
}
