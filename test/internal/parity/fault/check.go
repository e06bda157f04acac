package fault

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/test/internal/parity/harness"
)

// check finds what would make a row hold less than it seems to.
func (r *Row) check() error {
	if r.ID == "" || strings.TrimSpace(r.Fault) == "" {
		return fmt.Errorf("%q: a row needs an id, and says what goes wrong", r.ID)
	}
	if err := r.Setup.check(); err != nil {
		return fmt.Errorf("%s: %w", r.ID, err)
	}
	for _, side := range Sides() {
		if err := r.checkSide(side); err != nil {
			return fmt.Errorf("%s, %s: %w", r.ID, side, err)
		}
	}
	return nil
}

// checkSide requires exactly one promise for each combination.
func (r *Row) checkSide(side harness.Side) error {
	list := r.Promises(side)
	unused := make([]bool, len(list))
	for i := range list {
		if err := list[i].check(); err != nil {
			return err
		}
		unused[i] = true
	}
	for _, c := range Combinations() {
		i := first(list, c)
		if i < 0 {
			return fmt.Errorf("nothing is promised for %s", c)
		}
		unused[i] = false
		o, err := list[i].Outcome(c)
		if err == nil {
			err = r.mayPromise(side, o.Verdict)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
	}
	if i := slices.Index(unused, true); i >= 0 {
		return fmt.Errorf("the promise for %q applies nowhere: others come first", list[i].When)
	}
	return nil
}

func (p *Promise) check() error {
	if !slices.ContainsFunc(Combinations(), func(c Combination) bool { return c.is(p.When) }) {
		return fmt.Errorf("there is no combination %q", p.When)
	}
	if changes := p.Class == "A+"; changes != (p.Object != "") {
		return fmt.Errorf("class %s and the object %q: the object is there if, and only if, it changes",
			p.Class, p.Object)
	}
	if p.Took.Duration < 0 {
		return fmt.Errorf("nothing takes %s", p.Took.Duration)
	}
	return nil
}

// mayPromise keeps rows from promising what no run can show, and gatehouse from
// promising what it is there to prevent.
func (r *Row) mayPromise(side harness.Side, v Verdict) error {
	switch {
	case side != harness.Upstream && (v == Hung || v == Panicked):
		return fmt.Errorf("gatehouse may not have %s", v)
	case v == Hung && !r.Recorded:
		return errors.New("that upstream does not return can only be recorded")
	}
	return nil
}
