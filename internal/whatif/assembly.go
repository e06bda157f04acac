package whatif

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"example.com/gatehouse/internal/replay"
)

const (
	// maxGroups limits the groups of requests. Each further request is examined
	// alone.
	maxGroups = 10000
	// maxIDs limits Cause.IDs, maxEffects Cause.Effects, and maxFailures
	// Report.Failures.
	maxIDs      = 10
	maxEffects  = 200
	maxFailures = 5
)

// assembly assembles the report.
type assembly struct {
	result Report
	finder *causeFinder
	// groups has the findings of each signature, causes and unstable those of the
	// report.
	groups   map[string][]*finding
	causes   map[string]*Cause
	unstable map[string]*Unstable
}

func newAssembly(c *comparer) *assembly {
	return &assembly{
		result: Report{Changes: c.comparison.Changes, Levels: map[Level]int{}},
		finder: &causeFinder{comparison: c.comparison, build: c.Build, variants: map[string]*variant{}},
		groups: map[string][]*finding{}, causes: map[string]*Cause{}, unstable: map[string]*Unstable{},
	}
}

// add adds a request to the report.
func (a *assembly) add(ctx context.Context, v *visit) error {
	a.result.Requests++
	if text := v.before.Result.Error; text != "" && len(v.items) == 0 {
		a.result.Failed++
		if len(a.result.Failures) < maxFailures && !slices.Contains(a.result.Failures, text) {
			a.result.Failures = append(a.result.Failures, text)
		}
	}
	a.addUnstable(v)
	if len(v.items) == 0 {
		if isUndecided(v) {
			a.result.Unknown++
		}
		return nil
	}
	found, err := a.find(ctx, v)
	if err != nil {
		return err
	}
	a.result.Different++
	a.result.Levels[levelOf(v.items)]++
	if isUndecided(v) {
		a.result.Undecided++
	}
	if isAssumed(v) {
		a.result.Assumed++
	}
	parts := found.parts
	if len(parts) == 0 {
		parts = []part{{}}
	}
	for i := range parts {
		a.cause(parts[i].changes, found.also).add(v, parts[i].of(v.items))
	}
	return nil
}

// addUnstable adds the differences between two runs of one set.
func (a *assembly) addUnstable(v *visit) {
	for _, name := range unstableNames(v.self) {
		u := a.unstable[name]
		if u == nil {
			u = &Unstable{What: name, ID: v.entry.ID}
			a.unstable[name] = u
		}
		u.Requests++
	}
}

// find returns the finding of a request: one of its group that undoes its differences,
// too, or else a new one.
func (a *assembly) find(ctx context.Context, v *visit) (*finding, error) {
	group := signature(v.items)
	var unexplained *finding
	for _, f := range a.groups[group] {
		if len(f.parts) == 0 {
			unexplained = f
			continue
		}
		if ok, err := a.finder.undoes(ctx, v, f.all()); err != nil || ok {
			return f, err
		}
	}
	if unexplained != nil {
		return unexplained, nil
	}
	f, err := a.finder.find(ctx, v)
	if err == nil && (len(a.groups[group]) > 0 || len(a.groups) < maxGroups) {
		a.groups[group] = append(a.groups[group], f)
	}
	return f, err
}

func (a *assembly) cause(changed, also []int) *Cause {
	key := fmt.Sprint(changed)
	c := a.causes[key]
	if c == nil {
		c = &Cause{Changes: changed, Levels: map[Level]int{}, effects: map[string]*Effect{}}
		a.causes[key] = c
	}
	for _, i := range also {
		if !slices.Contains(c.Also, i) {
			c.Also = append(c.Also, i)
		}
	}
	return c
}

// report returns the report, sorted.
func (a *assembly) report() *Report {
	r := &a.result
	r.Causes = slices.Collect(maps.Values(a.causes))
	for _, c := range r.Causes {
		c.finish()
	}
	slices.SortFunc(r.Causes, func(a, b *Cause) int {
		return cmp.Or(-cmp.Compare(a.Levels[LevelVerdict], b.Levels[LevelVerdict]),
			-cmp.Compare(a.Levels[LevelObject], b.Levels[LevelObject]),
			-cmp.Compare(a.Requests, b.Requests), slices.Compare(a.Changes, b.Changes))
	})
	r.Unstable = slices.Collect(maps.Values(a.unstable))
	slices.SortFunc(r.Unstable, func(a, b *Unstable) int {
		return cmp.Or(-cmp.Compare(a.Requests, b.Requests), cmp.Compare(a.What, b.What))
	})
	return r
}

// add adds a request to a cause, with the differences of that cause.
func (c *Cause) add(v *visit, items []Item) {
	level := levelOf(items)
	if c.Requests == 0 || rank(level) < rank(levelOf(c.Example.Items)) {
		c.Example = Example{ID: v.entry.ID, Request: v.before.Result.Request, Items: items}
	}
	c.Requests++
	c.Levels[level]++
	if isUndecided(v) {
		c.Undecided++
	}
	if isAssumed(v) {
		c.Assumed++
	}
	if len(c.IDs) < maxIDs {
		c.IDs = append(c.IDs, v.entry.ID)
	}
	seen := map[string]bool{}
	for i := range items {
		e := Effect{
			Text: items[i].effect(), Kind: items[i].kind(), Level: items[i].Field.Level(),
		}
		if seen[e.Text] {
			continue
		}
		seen[e.Text] = true
		if known := c.effects[e.Text]; known != nil {
			known.Requests++
		} else if len(c.effects) < maxEffects {
			e.Requests = 1
			c.effects[e.Text] = &e
		}
	}
}

// finish sorts the effects, the most serious ones first.
func (c *Cause) finish() {
	for _, e := range c.effects {
		c.Effects = append(c.Effects, *e)
	}
	slices.SortFunc(c.Effects, func(a, b Effect) int {
		return cmp.Or(cmp.Compare(rank(a.Level), rank(b.Level)),
			-cmp.Compare(a.Requests, b.Requests), cmp.Compare(a.Text, b.Text))
	})
	slices.Sort(c.Also)
}

func isUndecided(v *visit) bool {
	return v.before.Result.Undecided || v.after.Result.Undecided
}

// isAssumed reports whether a call of one set has an answer that was recorded for
// another object.
func isAssumed(v *visit) bool {
	assumed := func(c replay.Call) bool { return c.Assumed }
	return slices.ContainsFunc(v.before.Result.Calls, assumed) ||
		slices.ContainsFunc(v.after.Result.Calls, assumed)
}
