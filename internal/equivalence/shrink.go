package equivalence

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"example.com/gatehouse/internal/equivalence/draw"
)

// shrinker makes a counterexample smaller.
type shrinker struct {
	*comparison
	ctx   context.Context
	best  *trial
	cost  cost
	tried int
}

// cost is what shrinking reduces, the first parts first: the fields that are not
// required, the differences between the objects of an UPDATE, and the length of the
// request. The text itself makes the order total, so that shrinking ends.
type cost struct {
	extra, differences int
	key                string
}

func costOf(c *draw.Case) cost {
	differences := 0
	for _, path := range paths(c.Fields, 0) {
		if other := inOther(path); other != nil {
			v, _ := find(c.Fields, path)
			before, ok := find(c.Fields, other)
			if !ok || !reflect.DeepEqual(v, before) {
				differences++
			}
		}
	}
	return cost{c.Extra(), differences, c.Key()}
}

func (c cost) less(d cost) bool {
	return cmp.Or(cmp.Compare(c.extra, d.extra), cmp.Compare(c.differences, d.differences),
		cmp.Compare(len(c.key), len(d.key)), cmp.Compare(c.key, d.key)) < 0
}

// shrink removes fields and makes values simple as long as the answers differ in the same
// aspect: until nothing more can be done, ctx ends, or too many requests were tried.
func (c *comparison) shrink(ctx context.Context, found *trial) *Counterexample {
	s := &shrinker{comparison: c, ctx: ctx, best: found, cost: costOf(found.c)}
	for changed := !found.hasSecret(); changed; {
		changed = s.shorten()
		changed = s.remove() || changed
		changed = s.align() || changed
		changed = s.simplify() || changed
	}
	e := found.counterexample(s.best.aspect, s.best.answers[0], s.best.answers[1])
	e.Case, e.Tried = s.best.c, s.tried
	e.Names = [2]string{c.sides[0].name, c.sides[1].name}
	return e
}

// accept tries a smaller case, and keeps it if the answers still differ.
func (s *shrinker) accept(smaller *draw.Case) bool {
	if s.tried >= shrinkRequests || s.ctx.Err() != nil || !costOf(smaller).less(s.cost) {
		return false
	}
	s.tried++
	made := s.make(s.ctx, smaller)
	if made == nil {
		return false
	}
	t := &trial{c: smaller, made: made}
	if s.ask(s.ctx, t) != nil {
		return false
	}
	if t.aspect = differ(t.answers[0], t.answers[1], s.options.Aspects); t.aspect != s.best.aspect {
		return false
	}
	if unstable, err := s.unstable(s.ctx, t); unstable != nil || err != nil {
		return false
	}
	s.best, s.cost = t, costOf(t.c)
	return true
}

// shorten tries the smallest case of the endpoint, and a CREATE in place of an UPDATE.
func (s *shrinker) shorten() bool {
	for _, smaller := range s.drawer.Shorter(s.best.c) {
		if s.accept(smaller) {
			return true
		}
	}
	return false
}

// remove tries to remove each field and element, the large ones first: in one object, or
// in both objects of an UPDATE.
func (s *shrinker) remove() bool {
	changed := false
	for depth := 2; depth < 16; depth++ {
		for _, path := range paths(s.best.c.Fields, depth) {
			if !slices.Contains(kept, path[len(path)-1]) && s.without(path) {
				changed = true
			}
		}
	}
	if s.best.c.Fields["namespace"] != nil {
		changed = s.without([]string{"namespace"}) || changed
	}
	return changed
}

// kept are fields that identify the request. The manifest has them even if they have
// their defaults.
var kept = []string{"apiVersion", "kind", "operation", "resource", "subResource"}

func (s *shrinker) without(path []string) bool {
	smaller := s.best.c.Clone()
	if !cutOut(smaller.Fields, path) {
		return false
	}
	if s.accept(smaller) {
		return true
	}
	other := inOther(path)
	return other != nil && cutOut(smaller.Fields, other) && s.accept(smaller)
}

// inOther returns the path in the other object of an UPDATE; nil if it is in none.
func inOther(path []string) []string {
	others := map[string]string{"object": "oldObject", "oldObject": "object"}
	if len(path) < 3 || others[path[1]] == "" {
		return nil
	}
	other := slices.Clone(path)
	other[1] = others[path[1]]
	return other
}

// align tries to make the objects of an UPDATE equal.
func (s *shrinker) align() bool {
	changed := false
	for depth := 3; depth < 16; depth++ {
		for _, path := range paths(s.best.c.Fields, depth) {
			other := inOther(path)
			if other == nil {
				continue
			}
			v, _ := find(s.best.c.Fields, path)
			before, ok := find(s.best.c.Fields, other)
			if ok && reflect.DeepEqual(v, before) {
				continue
			}
			smaller := s.best.c.Clone()
			if replace(smaller.Fields, other, v) && s.accept(smaller) {
				changed = true
			}
		}
	}
	return changed
}

// simplify tries simpler values for each scalar: that of the smallest case, and shorter or
// smaller ones.
func (s *shrinker) simplify() bool {
	changed := false
	for _, path := range paths(s.best.c.Fields, 0) {
		v, ok := find(s.best.c.Fields, path)
		if !ok {
			continue
		}
		for _, simpler := range s.simpler(path, v) {
			smaller := s.best.c.Clone()
			if !replace(smaller.Fields, path, simpler) {
				continue
			}
			if s.accept(smaller) {
				changed = true
				break
			}
			if other := inOther(path); other != nil && replace(smaller.Fields, other, simpler) &&
				s.accept(smaller) {
				changed = true
				break
			}
		}
	}
	return changed
}

// simpler returns values that are simpler than a scalar, the simplest first.
func (s *shrinker) simpler(path []string, v any) []any {
	var all []any
	required, ok := find(s.best.c.Endpoint.Smallest().Fields, path)
	if ok {
		if reflect.DeepEqual(required, v) {
			return nil
		}
		all = append(all, required)
	}
	switch v := v.(type) {
	case string:
		if v != "" {
			all = append(all, "")
		}
		if len(v) > 1 {
			all = append(all, "a", v[:len(v)/2], v[len(v)/2:], v[1:], v[:len(v)-1])
		}
	case int64:
		if v != 0 {
			all = append(all, int64(0))
		}
		if v > 1 || v < 0 {
			all = append(all, int64(1), v/2, v-1)
		}
	}
	return all
}

// paths returns the paths to the values of a tree at a depth, or with the depth 0 to all
// its scalars, in order. A list has its last elements first, so that one can be removed.
func paths(tree any, depth int) [][]string {
	var all [][]string
	var walk func(v any, path []string)
	walk = func(v any, path []string) {
		if depth > 0 && len(path) == depth {
			all = append(all, slices.Clone(path))
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name], append(path, name))
			}
		case []any:
			for i := len(v) - 1; i >= 0; i-- {
				walk(v[i], append(path, strconv.Itoa(i)))
			}
		default:
			if depth == 0 {
				all = append(all, slices.Clone(path))
			}
		}
	}
	walk(tree, nil)
	return all
}
