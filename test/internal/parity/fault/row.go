package fault

import (
	"fmt"
	"slices"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/parity/harness"
)

// Row is one fault and the contract about it.
type Row struct {
	// ID is a letter for the group and a number within it, such as J21.
	ID string `json:"id"`
	// Fault describes the fault in a few words.
	Fault string `json:"fault"`
	// Why explains a setup or a script that is not what one would expect.
	Why string `json:"why,omitempty"`
	// Setup is what is unusual on the client's side.
	Setup Setup `json:"setup,omitzero"`
	// Script is what the server does. The default allows everything.
	Script Script `json:"script,omitzero"`
	// Recorded is true if upstream takes too long, needs too much memory or
	// never returns. The row's promise for upstream is then a recording of one
	// observation, which only live tests check.
	Recorded bool `json:"recorded,omitempty"`
	// Upstream is what kube-apiserver's plugins do.
	Upstream []Promise `json:"upstream"`
	// Default and Exact are the promises for gatehouse, by default and with
	// WithExact. Each is empty where it equals upstream's.
	Default []Promise `json:"default,omitempty"`
	Exact   []Promise `json:"exact,omitempty"`
}

// Script is a script that is checked as it is read.
type Script struct{ faultserver.Script }

// UnmarshalJSON reads what faultserver.Parse does.
func (s *Script) UnmarshalJSON(data []byte) (err error) {
	s.Script, err = faultserver.Parse(data)
	return err
}

// Sides returns all that a row promises something to.
func Sides() []harness.Side {
	return []harness.Side{harness.Upstream, harness.Gatehouse, harness.Exact}
}

// Promises returns what a side promises.
func (r *Row) Promises(side harness.Side) []Promise {
	switch {
	case !r.DiffersIn(side):
		return r.Upstream
	case side == harness.Exact:
		return r.Exact
	}
	return r.Default
}

// DiffersIn reports whether the row has promises of its own for a side of
// gatehouse.
func (r *Row) DiffersIn(side harness.Side) bool {
	return side == harness.Gatehouse && r.Default != nil || side == harness.Exact && r.Exact != nil
}

// Promised returns the promised outcome of a side.
func (r *Row) Promised(side harness.Side, c Combination) (Outcome, error) {
	list := r.Promises(side)
	i := first(list, c)
	if i < 0 {
		return Outcome{}, fmt.Errorf("%s: nothing is promised for %s", r.ID, c)
	}
	return list[i].Outcome(c)
}

// first returns the index of the promise that counts for a combination, or -1.
func first(list []Promise, c Combination) int {
	return slices.IndexFunc(list, func(p Promise) bool { return c.is(p.When) })
}
