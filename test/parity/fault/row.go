package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/parity/world"
)

// Row is one fault and the contract about it.
type Row struct {
	// ID is a letter for the group and a number within it, such as J21.
	ID string `json:"id"`
	// Fault says in a few words what goes wrong.
	Fault string `json:"fault"`
	// Setup is what is unusual on the client's side.
	Setup Setup `json:"setup,omitzero"`
	// Script is what the server does. The default allows everything.
	Script Script `json:"script,omitzero"`
	// Recorded says that upstream takes too long, needs too much memory or never
	// returns. Its outcome is what was observed once.
	Recorded bool `json:"recorded,omitempty"`
	// Upstream is what kube-apiserver's plugins do.
	Upstream []Promise `json:"upstream"`
	// Default and Exact are what gatehouse does, as it comes and with WithExact.
	// Each is left out where it is what upstream does.
	Default []Promise `json:"default,omitempty"`
	Exact   []Promise `json:"exact,omitempty"`
}

// Promise is what a side does in one or more combinations.
type Promise struct {
	// When is a combination, a phase or a policy; "" is all. The first promise
	// of a list that applies counts.
	When string `json:"when,omitempty"`
	// Class is the outcome in short: see classes.
	Class string `json:"class"`
	// Message is the text of the error, without what its class implies.
	Message string `json:"message,omitempty"`
	// Reason is the reason of a denial, where the class leaves it open.
	Reason string `json:"reason,omitempty"`
	// Calls is the number of requests that servers got. The default is 1, or 0
	// if the class says that nothing was called.
	Calls *int `json:"calls,omitempty"`
	// Elsewhere is the number of connections to the second origin.
	Elsewhere int `json:"elsewhere,omitempty"`
	// Credentials is the number of requests, to either origin, that carried one.
	Credentials int `json:"credentials,omitempty"`
	// Patch is that of the annotation of level Request.
	Patch string `json:"patch,omitempty"`
	// Annotations and Warnings come from the webhook. They are abbreviated as
	// outcomes are.
	Annotations map[string]string `json:"annotations,omitempty"`
	Warnings    []string          `json:"warnings,omitempty"` // see Annotations
	// Instead replaces metrics and annotations that do not follow from the
	// class. The metrics are without "apiserver_admission_" and without the
	// labels name and operation.
	Instead *Instead `json:"instead,omitempty"`
}

// Instead is what a class does not know.
type Instead struct {
	Metrics     []string          `json:"metrics"`     // all series, sorted
	Annotations map[string]string `json:"annotations"` // all of them
}

// Script is a script that is checked as it is read.
type Script struct{ faultserver.Script }

// UnmarshalJSON reads what faultserver.Parse does.
func (s *Script) UnmarshalJSON(data []byte) (err error) {
	s.Script, err = faultserver.Parse(data)
	return err
}

// Promises returns what a side promises.
func (r *Row) Promises(side world.Side) []Promise {
	switch {
	case !r.DiffersIn(side):
		return r.Upstream
	case side == world.Exact:
		return r.Exact
	}
	return r.Default
}

// DiffersIn reports whether the row says that a side of gatehouse differs from
// upstream.
func (r *Row) DiffersIn(side world.Side) bool {
	return side == world.Gatehouse && r.Default != nil || side == world.Exact && r.Exact != nil
}

// Load reads rows from a file with one on each line. The error names the line.
func Load(file string) ([]Row, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []Row
	seen := map[string]bool{}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		row, err := parse(line)
		if err == nil && seen[row.ID] {
			err = fmt.Errorf("%s is there twice", row.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		seen[row.ID] = true
		rows = append(rows, row)
	}
	return rows, nil
}

func parse(line []byte) (Row, error) {
	var row Row
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&row); err != nil {
		return row, err
	}
	return row, row.check()
}

// check finds promises that say nothing about some combination, or too much.
func (r *Row) check() error {
	if r.ID == "" || strings.TrimSpace(r.Fault) == "" {
		return fmt.Errorf("%q: a row needs an id, and says what goes wrong", r.ID)
	}
	for _, list := range [][]Promise{r.Upstream, r.Promises(world.Gatehouse), r.Promises(world.Exact)} {
		for _, c := range Combinations() {
			p, ok := find(list, c)
			if !ok {
				return fmt.Errorf("%s: nothing is promised for %s", r.ID, c)
			}
			if _, err := p.Outcome(c); err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
		}
	}
	return nil
}

func find(list []Promise, c Combination) (Promise, bool) {
	i := slices.IndexFunc(list, func(p Promise) bool { return c.is(p.When) })
	if i < 0 {
		return Promise{}, false
	}
	return list[i], true
}

// Promised returns the promised outcome of a side.
func (r *Row) Promised(side world.Side, c Combination) (Outcome, error) {
	p, ok := find(r.Promises(side), c)
	if !ok {
		return Outcome{}, fmt.Errorf("%s: nothing is promised for %s", r.ID, c)
	}
	return p.Outcome(c)
}
