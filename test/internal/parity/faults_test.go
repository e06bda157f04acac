package parity

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/parity/fault"
	"example.com/gatehouse/test/internal/parity/harness"
)

// live has upstream run also where it takes long, and everything on sockets and
// in real time.
var live = flag.Bool("live", false, "run recorded faults live, and all of them on sockets")

// faultTable is the contract; another one is for trying rows out.
const faultTable = "testdata/faults.jsonl"

// faults is the table that TestFaults reads.
var faults = flag.String("faults", faultTable, "file with one fault on each line")

func loadFaults(t *testing.T, file string) []fault.Row {
	t.Helper()
	rows, err := fault.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestFaults holds upstream and gatehouse in both modes to what is promised
// about every fault, in both phases and with both policies.
func TestFaults(t *testing.T) {
	runner, err := fault.NewRunner(oracle())
	if err != nil {
		t.Fatal(err)
	}
	held := contract{runner: runner}
	rows := loadFaults(t, *faults)
	for i := range rows {
		t.Run(rows[i].ID, func(t *testing.T) { held.hold(t, &rows[i]) })
	}
	compared.say("faults %d × %d, differences from the contract %d",
		held.rows, held.combinations/max(1, held.rows), held.differences)
}

// contract counts what was run, and in how many points it was not as promised.
// A run that fails and a goroutine that is left are such points.
type contract struct {
	runner                          *fault.Runner
	rows, combinations, differences int
}

func (held *contract) hold(t *testing.T, row *fault.Row) {
	existing := goleak.IgnoreCurrent()
	held.rows++
	for _, c := range fault.Combinations() {
		held.combinations++
		for _, side := range fault.Sides() {
			for _, line := range held.judge(t, row, c, side) {
				held.differences++
				t.Errorf("%s, %s, %s: %s", row.ID, c, side, line)
			}
		}
	}
	if err := leaktest.Find(existing); err != nil {
		held.differences++
		t.Errorf("after all: %v", err)
	}
}

// judge runs one side and returns the differences from the promise.
func (held *contract) judge(t *testing.T, row *fault.Row, c fault.Combination, side harness.Side) []string {
	t.Helper()
	promised, err := row.Promised(side, c)
	if err != nil {
		return []string{err.Error()}
	}
	// Recorded upstream behaviour is repeated only with -live, and never for a
	// call that hangs.
	if side == harness.Upstream && row.Recorded && (!*live || promised.Verdict == fault.Hung) {
		return nil
	}
	clock := fault.Real
	if !*live && row.Script.NeedsSockets() == "" {
		clock = fault.Virtual
	}
	var lines []string
	run := func(t *testing.T, carry fault.Carrier) {
		observed, limit, err := held.runner.Run(t.Context(), row, c, side, carry)
		if err != nil {
			lines = []string{err.Error()}
			return
		}
		lines = append(fault.Diff(promised, observed), clock.Diff(promised.Took, observed.Took, limit)...)
	}
	if clock == fault.Virtual {
		synctest.Test(t, func(t *testing.T) { run(t, faultserver.InMemory) })
	} else {
		run(t, faultserver.Listen)
	}
	return lines
}

// TestFaultProblems has a script with a step that HTTP/1.1 does not have. A row
// differs from its promise unless it expects that.
func TestFaultProblems(t *testing.T) {
	const (
		start = `{"fault":"a stream is reset in HTTP/1.1","script":{"connections":[{"tls":{"alpn":["h2","http/1.1"]}}],"requests":[[{"resetStream":"INTERNAL_ERROR"}]]},` +
			`"upstream":[{"class":"C503","message":"failed to call webhook: Post \"https://hook.test.svc:443/?timeout=2s\": EOF"`
		problem = `"resetStream: that cannot be done here: the client did not choose HTTP/2"`
	)
	runner, err := fault.NewRunner(oracle())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "faults.jsonl")
	text := start + `}],"id":"A1"}` + "\n" + start + `,"problems":[` + problem + `]}],"id":"A2"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	held, rows := contract{runner: runner}, loadFaults(t, file)
	for _, side := range fault.Sides() {
		for i, want := range [][]string{{"problems: promised [], observed [" + problem + "]"}, nil} {
			if diff := cmp.Diff(want, held.judge(t, &rows[i], fault.Combinations()[0], side)); diff != "" {
				t.Errorf("%s, %s: differences (-want +got):\n%s", rows[i].ID, side, diff)
			}
		}
	}
}
