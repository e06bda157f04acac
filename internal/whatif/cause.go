package whatif

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/whatif/changes"
)

const (
	// maxVariants limits the kept engines.
	maxVariants = 256
	// maxSingles limits the changes that find undoes alone.
	maxSingles = 64
)

// causeFinder finds the causes of differences by undoing changes. It belongs to one
// goroutine.
type causeFinder struct {
	comparison *changes.Comparison
	build      Builder
	variants   map[string]*variant
	// order has the keys of variants, the oldest first.
	order []string
}

// variant is the second set with some changes undone.
type variant struct {
	engine Engine
	naming *naming
	// err is the reason why there is no engine.
	err error
}

// visit is a request with its outcome in both sets.
type visit struct {
	entry         *corpus.Entry
	before, after *Outcome
	items, self   []Item
	err           error
	done          chan struct{}
}

// variant returns the set with some changes undone. Its error is for a set that an
// API server would reject.
func (c *causeFinder) variant(undone []int) *variant {
	key := fmt.Sprint(undone)
	if v := c.variants[key]; v != nil {
		return v
	}
	v := &variant{naming: newNaming(c.comparison.Changes, undone)}
	documents, err := c.comparison.Documents(undone...)
	if err == nil {
		v.engine, err = c.build(documents)
	}
	v.err = err
	if len(c.order) == maxVariants {
		c.drop(c.order[0])
		c.order = c.order[1:]
	}
	c.variants[key], c.order = v, append(c.order, key)
	return v
}

func (c *causeFinder) drop(key string) {
	if v := c.variants[key]; v.engine != nil {
		v.engine.Close()
	}
	delete(c.variants, key)
}

func (c *causeFinder) close() {
	for _, key := range c.order {
		c.drop(key)
	}
}

// left returns the remaining differences if some changes are undone.
func (c *causeFinder) left(ctx context.Context, v *visit, undone []int) ([]Item, error) {
	slices.Sort(undone)
	variant := c.variant(undone)
	if variant.err != nil {
		return v.items, nil
	}
	outcome, err := variant.engine.Admit(ctx, variant.naming.entry(v.entry))
	if err != nil {
		return nil, err
	}
	return without(Compare(v.before.Result, variant.naming.result(outcome.Result)), v.self), nil
}

func (c *causeFinder) undoes(ctx context.Context, v *visit, undone []int) (bool, error) {
	left, err := c.left(ctx, v, undone)
	return err == nil && len(left) == 0, err
}

// finding is the cause of the differences of a request. Each part undoes some of them,
// and all parts together undo all.
type finding struct {
	parts []part
	also  []int
}

// part are changes that undo differences; nil classes stand for all differences.
type part struct {
	changes []int
	classes map[string]bool
}

// of returns the differences of the part.
func (p *part) of(items []Item) []Item {
	if p.classes == nil {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return !p.classes[i.class()] })
}

// all returns the changes of all parts.
func (f *finding) all() (all []int) {
	for i := range f.parts {
		all = append(all, f.parts[i].changes...)
	}
	return all
}

// find finds the changes that cause the differences of a request: one, if one is
// enough, and otherwise as few as are needed. The finding has no parts if undoing all
// changes does not undo the differences.
func (c *causeFinder) find(ctx context.Context, v *visit) (*finding, error) {
	related, others := c.sorted(v)
	var alone []int
	for _, i := range related[:min(len(related), maxSingles)] {
		ok, err := c.undoes(ctx, v, []int{i})
		if err != nil {
			return nil, err
		}
		if ok {
			alone = append(alone, i)
		}
	}
	if len(alone) > 0 {
		return &finding{parts: []part{{changes: alone[:1]}}, also: alone[1:]}, nil
	}
	all := slices.Concat(related, others)
	if ok, err := c.undoes(ctx, v, slices.Clone(all)); err != nil || !ok {
		return &finding{}, err
	}
	few, err := fewest(all, func(undone []int) (bool, error) { return c.undoes(ctx, v, undone) })
	if err != nil {
		return nil, err
	}
	// A change may need another one, so that only undoing both has an effect.
	if ok, err := c.undoes(ctx, v, slices.Clone(few)); err != nil || !ok {
		return &finding{parts: []part{{changes: all}}}, err
	}
	slices.Sort(few)
	parts, err := c.split(ctx, v, few)
	return &finding{parts: parts}, err
}

// sorted returns the changes that are related to the differences, and the others.
func (c *causeFinder) sorted(v *visit) (related, others []int) {
	for i := range c.comparison.Changes {
		if isRelated(&c.comparison.Changes[i], v) {
			related = append(related, i)
		} else {
			others = append(others, i)
		}
	}
	return related, others
}

// isRelated reports whether a change is of a webhook or policy of the differences, or
// of the request's namespace.
func isRelated(c *changes.Change, v *visit) bool {
	if c.Object.Kind == "Namespace" {
		return strings.Contains(v.before.Result.Request, c.Object.Name)
	}
	return slices.ContainsFunc(v.items, func(i Item) bool {
		switch c.Object.Name {
		case i.call.owner:
			return c.Webhook == "" || c.Webhook == i.call.child || c.NameAfter == i.call.child
		case i.call.child:
			return i.call.policy
		}
		return i.Field == Order && strings.Contains(i.Before, c.Object.Name+"/")
	})
}

// fewest returns a minimal part of a list for which works returns true; it prefers the
// first items. For the whole list works must return true. The algorithm is QuickXplain
// by Ulrich Junker: given items that belong to the part, it searches a half of the list
// for the rest.
func fewest(list []int, works func([]int) (bool, error)) ([]int, error) {
	var search func(given []int, isNew bool, list []int) ([]int, error)
	search = func(given []int, isNew bool, list []int) ([]int, error) {
		if isNew {
			if ok, err := works(slices.Clone(given)); err != nil || ok {
				return nil, err
			}
		}
		if len(list) == 1 {
			return list, nil
		}
		first, second := list[:len(list)/2], list[len(list)/2:]
		b, err := search(slices.Concat(given, first), true, second)
		if err != nil {
			return nil, err
		}
		a, err := search(slices.Concat(given, b), len(b) > 0, first)
		return slices.Concat(a, b), err
	}
	return search(nil, false, list)
}

// split returns the changes one by one if each undoes other differences, and otherwise
// together.
func (c *causeFinder) split(ctx context.Context, v *visit, few []int) ([]part, error) {
	together := []part{{changes: few}}
	if len(few) < 2 {
		return together, nil
	}
	gone := map[string]bool{}
	var parts []part
	for _, i := range few {
		left, err := c.left(ctx, v, []int{i})
		if err != nil {
			return nil, err
		}
		undone := without(v.items, left)
		if len(undone) == 0 || len(without(left, v.items)) > 0 {
			return together, nil
		}
		one := part{[]int{i}, map[string]bool{}}
		for j := range undone {
			one.classes[undone[j].class()], gone[undone[j].class()] = true, true
		}
		parts = append(parts, one)
	}
	for i := range v.items {
		if !gone[v.items[i].class()] {
			return together, nil
		}
	}
	return parts, nil
}

// unstableNames returns the webhooks that answer differently in two runs of one set, or
// else the fields.
func unstableNames(items []Item) []string {
	var webhooks, fields []string
	for i := range items {
		item := &items[i]
		if item.Field == Call || item.Field == Patch || item.Field == Policy {
			webhooks = append(webhooks, item.Subject)
		} else {
			fields = append(fields, string(item.Field))
		}
	}
	if len(webhooks) == 0 {
		webhooks = fields
	}
	slices.Sort(webhooks)
	return slices.Compact(webhooks)
}
