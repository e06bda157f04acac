package changes

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"example.com/gatehouse/internal/manifest"
)

// Comparison has the changes from one set to another.
type Comparison struct {
	// Changes are sorted by object and field.
	Changes []Change

	pairs []pair
}

// pair is an object in both sets, or in one of them.
type pair struct{ before, after *object }

// Compare compares two sets.
func Compare(before, after *Set) *Comparison {
	c := &Comparison{pairs: pairsOf(before, after)}
	for _, p := range c.pairs {
		w := &walk{pair: p}
		w.found = func(found Change) bool {
			c.Changes = append(c.Changes, found)
			return false
		}
		w.run()
	}
	slices.SortStableFunc(c.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Object.Kind, b.Object.Kind),
			cmp.Compare(a.Object.Namespace, b.Object.Namespace), cmp.Compare(a.Object.Name, b.Object.Name),
			cmp.Compare(a.Field, b.Field))
	})
	return c
}

// Documents returns the documents of the second set, with the changes undone that
// have these indexes in Changes.
func (c *Comparison) Documents(undone ...int) ([]*manifest.Document, error) {
	undo := map[change]bool{}
	for _, i := range undone {
		undo[c.Changes[i].key()] = true
	}
	var all []*manifest.Document
	for _, p := range c.pairs {
		d, err := p.undo(undo)
		if err != nil {
			return nil, err
		}
		if d != nil {
			all = append(all, d)
		}
	}
	return all, nil
}

// undo returns the document with some changes undone; nil if the set then has no such
// document.
func (p pair) undo(undo map[change]bool) (*manifest.Document, error) {
	undone := 0
	w := &walk{pair: p}
	w.found = func(found Change) bool {
		if undo[found.key()] {
			undone++
			return true
		}
		return false
	}
	value := w.run()
	switch {
	case value == missing:
		return nil, nil
	case undone == 0 && p.after != nil:
		return p.after.document, nil
	case p.after == nil:
		return p.before.document, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	was := p.after.document
	d := &manifest.Document{Position: was.Position, Kind: was.Kind, JSON: text}
	if version, ok := value.(map[string]any)["apiVersion"].(string); ok {
		d.Kind.Version = p.versionOf(version)
	}
	return d, nil
}

// versionOf returns the version of the document with that apiVersion.
func (p pair) versionOf(apiVersion string) string {
	if p.before != nil && p.before.document.Kind.GroupVersion().String() == apiVersion {
		return p.before.document.Kind.Version
	}
	return p.after.document.Kind.Version
}

// pairsOf returns the pairs in the order of the second set; then those of objects
// that only the first one has.
func pairsOf(before, after *Set) []pair {
	renamed := renames(before, after)
	was := map[Identity]Identity{}
	for old, now := range renamed {
		was[now] = old
	}
	var all []pair
	for _, id := range after.order {
		p := pair{before.objects[id], after.objects[id]}
		if old, ok := was[id]; ok {
			p.before = before.objects[old]
		}
		all = append(all, p)
	}
	for _, id := range before.order {
		if _, ok := renamed[id]; !ok && after.objects[id] == nil {
			all = append(all, pair{before: before.objects[id]})
		}
	}
	return all
}

// renames returns the new identities of the objects that were renamed: objects of
// the same kind that are equal but for the name, or have webhooks of the same names.
func renames(before, after *Set) map[Identity]Identity {
	removed, added := before.without(after), after.without(before)
	renamed := map[Identity]Identity{}
	for _, same := range []func(a, b *object) bool{sameContent, sameWebhooks} {
		for _, old := range removed {
			if _, done := renamed[old]; done {
				continue
			}
			i := slices.IndexFunc(added, func(now Identity) bool {
				return old.GroupKind == now.GroupKind && old.Namespace == now.Namespace &&
					same(before.objects[old], after.objects[now])
			})
			if i >= 0 {
				renamed[old] = added[i]
				added = slices.Delete(added, i, i+1)
			}
		}
	}
	return renamed
}

// without returns the identities of s that other does not have.
func (s *Set) without(other *Set) []Identity {
	var all []Identity
	for _, id := range s.order {
		if other.objects[id] == nil {
			all = append(all, id)
		}
	}
	return all
}

func sameContent(a, b *object) bool {
	return reflect.DeepEqual(a.nameless(), b.nameless())
}

// nameless returns the content without metadata.
func (o *object) nameless() map[string]any {
	value := maps.Clone(o.value)
	delete(value, "metadata")
	return value
}

func sameWebhooks(a, b *object) bool {
	names := a.webhookNames()
	return len(names) > 0 && slices.Equal(names, b.webhookNames())
}

func (o *object) webhookNames() []string {
	list, _ := o.value["webhooks"].([]any)
	names, _ := namesOf(list)
	slices.Sort(names)
	return names
}
