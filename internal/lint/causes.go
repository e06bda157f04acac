package lint

import (
	"cmp"
	"slices"
)

// ByCause returns the findings in groups with the same cause, by the position of the first
// of each: the one that names the cause, or else the worst. The others follow, the worst
// first.
func (r *Report) ByCause() [][]*Finding {
	var groups [][]*Finding
	index := map[Cause]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if at, known := index[f.Cause]; known && f.Cause != (Cause{}) {
			groups[at] = append(groups[at], f)
			continue
		}
		index[f.Cause] = len(groups)
		groups = append(groups, []*Finding{f})
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b *Finding) int { return cmp.Compare(b.weight(), a.weight()) })
	}
	slices.SortStableFunc(groups, func(a, b []*Finding) int {
		return compare(a[0].Position(), b[0].Position())
	})
	return groups
}

// Worst returns the level of findings with the same cause: the worst of those that are not
// silenced, or of all if all are.
func Worst(group []*Finding) Level {
	worst, counts := group[0].Rule.Level, group[0].Silenced == ""
	for _, f := range group[1:] {
		if level := f.Rule.Level; level.AtLeast(worst) && (f.Silenced == "" || !counts) {
			worst = level
		}
	}
	return worst
}

func (f *Finding) weight() int {
	if f.Rule.NamesCause {
		return Error.rank() + 1
	}
	return f.Rule.Level.rank()
}

// spreadSilence silences what follows from a finding that is silenced.
func (r *Report) spreadSilence() {
	for _, group := range r.ByCause() {
		for _, f := range group[1:] {
			f.Silenced = cmp.Or(f.Silenced, group[0].Silenced)
		}
	}
}
