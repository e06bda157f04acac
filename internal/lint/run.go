package lint

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/gatehouse/internal/manifest"
)

// Run returns the findings of rules, by file and position. The error says that a rule
// could not make its request, or that the context of the cluster ended.
func Run(c *Cluster, rules []*Rule) (*Report, error) {
	began := time.Now()
	r := &Report{}
	var run []*Rule
	for _, rule := range rules {
		if !c.has(rule.Needs) {
			r.Skipped = append(r.Skipped, Skipped{rule, rule.Needs})
			continue
		}
		run = append(run, rule)
		rule.Check(c, func(f Finding) {
			f.Rule = rule
			r.Findings = append(r.Findings, f)
		})
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return compare(a.Position(), b.Position())
	})
	identify(r.Findings)
	silences := SilencesOf(c.Inventory)
	silence(silences, r.Findings)
	r.Unused = unused(silences, run)
	r.spreadSilence()
	r.Elapsed = time.Since(began)
	return r, c.err
}

// has reports whether one of the kinds is among the inputs.
func (c *Cluster) has(kinds []string) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, c.Has)
}

// compare orders positions by file and line.
func compare(a, b manifest.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// identify sets the IDs. Findings about objects that the inputs have twice are told apart
// by their order.
func identify(findings []Finding) {
	count := map[string]int{}
	for i := range findings {
		id := findings[i].id()
		if count[id]++; count[id] > 1 {
			id = fmt.Sprintf("%s#%d", id, count[id])
		}
		findings[i].ID = id
	}
}
